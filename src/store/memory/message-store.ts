import { isFree } from '../../agents/wake-budget.ts';
import type { DeadReason, Message, MessageState } from '../../messages/message.ts';
import {
  findSubject,
  type HistoryRow,
  type Inbox,
  listedByNumber,
  type MessageQuery,
  type MessageStore,
  type Move,
  type Moved,
  type NewMessage,
  type Outline,
  type Parties,
  type PruneBound,
  type Pruned,
  toNewMessage,
  type WaitingBound,
} from '../../messages/message-store.ts';
import { sizeAtOnce } from '../../messages/parts.ts';
import { goesAsPrompt } from '../../messages/standing.ts';
import { takeBounded } from '../../messages/take-bounded.ts';
import { canMove, isSettled } from '../../messages/transitions.ts';
import { countPrunable, prune } from './prune.ts';
import type { StoredMessage, Tables } from './tables.ts';

export class MemoryMessageStore implements MessageStore {
  readonly #tables: Tables;

  constructor(tables: Tables) {
    this.#tables = tables;
  }

  async insert(rows: readonly NewMessage[]): Promise<readonly Message[]> {
    return rows.map((row) => {
      const message = toNewMessage(
        row,
        this.#tables.nextKey('seq'),
        this.#tables.takeNumber(row.to),
      );
      const settled = isSettled(row.state) ? { settledAt: row.createdAt } : {};
      this.#tables.putMessage({ ...message, ...settled });
      const { createdAt: at, state: to, cause, evidence } = row;
      const first = { at, from: null, to, cause, ...(evidence === undefined ? {} : { evidence }) };
      this.#tables.set(this.#tables.history, row.id, [first]);
      this.#tables.noteChange(row.id);
      return message;
    });
  }

  async find(id: string): Promise<Message | undefined> {
    const message = this.#tables.messages.get(id);
    return message && strip(message);
  }

  async listByNumber(number: number, inbox: Partial<Inbox> = {}): Promise<readonly Message[]> {
    const { id, name } = inbox;
    const found = this.#select(
      ({ number: own, to }) =>
        own === number &&
        (id === undefined || to === id) &&
        (name === undefined || this.#tables.agents.get(to)?.name === name),
    );
    return found.toReversed().slice(0, listedByNumber);
  }

  async findByKey(from: string, key: string): Promise<Message | undefined> {
    return this.#select((message) => message.from === from && message.key === key)[0];
  }

  async outline(to: string, now: number): Promise<Outline> {
    const open = this.#tables.listOpen(to);
    const isIn = (state: MessageState): boolean => open.some((message) => message.state === state);
    const claims = [...this.#tables.claims.values()];
    const queued = open.filter(({ state }) => state === 'queued');
    const isOver = ({ expiresAt = Number.POSITIVE_INFINITY }: Message): boolean => expiresAt <= now;
    return {
      queued: queued.some((message) => !isOver(message)),
      waking: queued.some((message) => !message.isQuiet && !isOver(message)),
      urgent: queued.some((message) => message.urgent && !isOver(message)),
      prompt: queued.some((message) => goesAsPrompt(message) && !isOver(message)),
      timed: queued.some(({ expiresAt }) => expiresAt !== undefined),
      overdue: queued.some(isOver),
      claimed: claims.some(({ recipient, endedAt }) => recipient === to && endedAt === undefined),
      open: isIn('injected'),
      uncertain: isIn('uncertain'),
      owes: [...this.#tables.debts.values()].some(
        ({ debtor, endedAt }) => debtor === to && endedAt === undefined,
      ),
    };
  }

  async listWaiting(to: string, bound: WaitingBound): Promise<readonly Message[]> {
    const offered = this.#tables.listOpen(to).filter((message) => {
      const { state, expiresAt, urgent } = message;
      return (
        (state === 'queued' &&
          (expiresAt ?? Number.POSITIVE_INFINITY) > bound.now &&
          (urgent || !bound.urgentOnly) &&
          (!bound.standing || goesAsPrompt(message) === (bound.standing === 'prompt')) &&
          (!bound.unlessHeldBy || isFree(message, bound.unlessHeldBy))) ||
        (state === 'uncertain' && bound.withUncertain)
      );
    });
    const sizeOf = bound.inParts ? sizeAtOnce : undefined;
    return takeBounded(offered.slice(0, bound.count).map(strip), bound.bytes, sizeOf);
  }

  async list(query: MessageQuery): Promise<readonly Message[]> {
    const found = this.#matching(query).slice(0, query.limit);
    return takeBounded(found, query.bytes ?? Number.POSITIVE_INFINITY);
  }

  async count(query: MessageQuery): Promise<number> {
    return this.#matching(query).length;
  }

  async countByState(to: string): Promise<Partial<Record<MessageState, number>>> {
    const counts: Partial<Record<MessageState, number>> = {};
    for (const { state } of this.#tables.listOpen(to)) counts[state] = (counts[state] ?? 0) + 1;
    const dead = await this.list({ to, states: ['dead'], limit: Number.POSITIVE_INFINITY });
    if (dead.length > 0) counts.dead = dead.length;
    return counts;
  }

  async listOverdueRecipients(now: number, limit: number): Promise<readonly string[]> {
    const overdue = this.#select(
      ({ state, expiresAt = Number.POSITIVE_INFINITY }) => state === 'queued' && expiresAt <= now,
    );
    return [...new Set(overdue.map(({ to }) => to))].slice(0, limit);
  }

  async listOverdue(to: string, now: number, limit: number): Promise<readonly Message[]> {
    const open = this.#tables.listOpen(to);
    const overdue = open.filter(
      ({ state, expiresAt }) =>
        state === 'queued' && (expiresAt ?? Number.POSITIVE_INFINITY) <= now,
    );
    return overdue.slice(0, limit).map(strip);
  }

  async listStaleable(child: string, to: string): Promise<readonly Message[]> {
    const open = this.#tables.listOpen(to);
    return open
      .filter((m) => m.state === 'queued' && isCompletionOf(m, child) && !m.answersTask)
      .map(strip);
  }

  async findNewestCompletion(child: string, to: string): Promise<Message | undefined> {
    const all = this.#select((m) => isCompletionOf(m, child) && m.to === to);
    return all.toSorted((a, b) => a.seq - b.seq).at(-1);
  }

  async hasNewerCompletion({ child, to, seq }: Message): Promise<boolean> {
    const newer = this.#select(
      (m) =>
        child !== undefined &&
        isCompletionOf(m, child) &&
        m.to === to &&
        m.seq > seq &&
        !['dead', 'expired', 'superseded'].includes(m.state),
    );
    return newer.length > 0;
  }

  async listDeadCompletions(child: string, reason: DeadReason): Promise<readonly Message[]> {
    const dead = await this.list({ states: ['dead'], limit: Number.POSITIVE_INFINITY });
    return dead.filter((message) => isCompletionOf(message, child) && message.reason === reason);
  }

  async move(ids: readonly string[], move: Move): Promise<readonly Moved[]> {
    if (!canMove(move.from, move.to)) return [];
    return ids.flatMap((id) => {
      const message = this.#tables.messages.get(id);
      if (message?.state !== move.from) return [];
      if (move.token !== undefined && message.token !== move.token) return [];
      const { settledAt: _, ...rest } = message;
      const merged: Record<string, unknown> = {
        ...rest,
        ...move.set,
        state: move.to,
        attempts: message.attempts + (move.to === 'claimed' ? 1 : 0),
        ...(isSettled(move.to) ? { settledAt: move.at } : {}),
      };
      for (const [field, value] of Object.entries(merged)) if (value === null) delete merged[field];
      this.#tables.putMessage(merged as unknown as StoredMessage);
      const { at, from, to, code, cause, evidence } = move;
      const token = findSubject(move, message.token);
      const row = {
        ...{ at, from, to, code, cause },
        ...(evidence === undefined ? {} : { evidence }),
        ...(token === undefined ? {} : { token }),
      };
      this.#tables.set(this.#tables.history, id, [...(this.#tables.history.get(id) ?? []), row]);
      this.#tables.noteChange(id);
      return [{ id, from: message.from, to: message.to }];
    });
  }

  async setInContext(id: string, inContext: boolean): Promise<void> {
    const message = this.#tables.messages.get(id);
    if (message) this.#tables.putMessage({ ...message, inContext });
  }

  async leaveContext(to: string): Promise<void> {
    for (const message of this.#tables.messages.values()) {
      if (message.to !== to || message.state !== 'seen' || !message.inContext) continue;
      this.#tables.putMessage({ ...message, inContext: false });
    }
  }

  async setDiscarded(id: string, at: number | undefined): Promise<void> {
    const message = this.#tables.messages.get(id);
    if (!message) return;
    const { discardedAt: _, ...rest } = message;
    this.#tables.putMessage(at === undefined ? rest : { ...rest, discardedAt: at });
    if (at !== message.discardedAt) this.#tables.noteChange(id);
  }

  async history(id: string): Promise<readonly HistoryRow[]> {
    return this.#tables.history.get(id) ?? [];
  }

  async foldHistory(id: string, first: number, count: number): Promise<void> {
    const rows = this.#tables.history.get(id) ?? [];
    this.#tables.set(this.#tables.history, id, rows.toSpliced(first, count));
  }

  async prune(before: number, bound: PruneBound): Promise<Pruned> {
    return prune(this.#tables, before, bound);
  }

  async countPrunable(
    before: number,
    bound: { readonly limit: number; readonly letters: number },
  ): Promise<number> {
    return countPrunable(this.#tables, before, bound);
  }

  async listParties(afterSeq: number, limit: number): Promise<Parties> {
    const some = this.#select(({ seq }) => seq > afterSeq).slice(0, limit);
    const named = some.flatMap(({ from, to, child }) => [from, to, ...(child ? [child] : [])]);
    return { agents: new Set(named), lastSeq: some.at(-1)?.seq };
  }

  async lastPrunedAt(): Promise<number> {
    return this.#tables.meta.get('pruned_at') ?? 0;
  }

  async setLastPrunedAt(at: number): Promise<void> {
    this.#tables.set(this.#tables.meta, 'pruned_at', at);
  }

  #matching(query: MessageQuery): readonly Message[] {
    return this.#select(
      (message) =>
        query.states.includes(message.state) &&
        message.seq > (query.afterSeq ?? 0) &&
        (query.to === undefined || message.to === query.to) &&
        (query.party === undefined || [message.to, message.from].includes(query.party)) &&
        !(query.lettersOnly && (message.kind === 'bounce' || message.kind === 'notice')) &&
        (query.includeDiscarded === true || message.discardedAt === undefined),
    );
  }

  #select(wanted: (message: StoredMessage) => boolean): readonly Message[] {
    const found = [...this.#tables.messages.values()].filter(wanted);
    return found.sort((a, b) => a.seq - b.seq).map(strip);
  }
}

function isCompletionOf(message: Message, child: string): boolean {
  return message.kind === 'completion' && message.child === child;
}

function strip({ settledAt: _, ...message }: StoredMessage): Message {
  return message;
}
