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
import { takeBounded } from '../../messages/take-bounded.ts';
import { isSettled } from '../../messages/transitions.ts';
import type { Connection } from './connection.ts';
import { listParties } from './forget-agent.ts';
import { addHistory, beginHistory, foldHistory, readHistory } from './history.ts';
import { countInbox, listHead, readOutline } from './inbox.ts';
import { updateState } from './move-statements.ts';
import { takeNumber } from './numbers.ts';
import { countPrunable, prune, readLastPruned, writeLastPruned } from './prune.ts';
import { matching, parameters } from './query-terms.ts';
import { type MessageRow, selectMessage as select, toMessage } from './rows.ts';

export class SqliteMessageStore implements MessageStore {
  readonly #db: Connection;

  constructor(db: Connection) {
    this.#db = db;
  }

  async insert(rows: readonly NewMessage[]): Promise<readonly Message[]> {
    return rows.map((row) => {
      const number = takeNumber(this.#db, row.to);
      const { lastInsertRowid } = this.#db.statement(insertMessage).run({
        id: row.id,
        number,
        kind: row.kind,
        sender: row.from,
        recipient: row.to,
        state: row.state,
        truncated: row.truncated ? 1 : 0,
        urgent: row.urgent ? 1 : 0,
        createdAt: row.createdAt,
        expiresAt: row.expiresAt ?? null,
        replyTo: row.replyTo?.length ? JSON.stringify(row.replyTo) : null,
        answersTask: row.answersTask ? 1 : 0,
        owes: row.owes?.length ? JSON.stringify(row.owes) : null,
        reports: row.reports?.length ? JSON.stringify(row.reports) : null,
        quiet: row.isQuiet ? 1 : 0,
        script: row.isScript ? 1 : 0,
        prompt: row.isPrompt ? 1 : 0,
        key: row.key ?? null,
        outcome: row.outcome ?? null,
        reason: row.reason ?? null,
        turn: row.turn ?? null,
        child: row.child ?? null,
        settledAt: isSettled(row.state) ? row.createdAt : null,
        body: isLong(row.body) ? '' : row.body,
      });
      const seq = Number(lastInsertRowid);
      if (isLong(row.body)) this.#db.statement(insertBody).run(seq, row.body);
      beginHistory(this.#db, seq, row);
      return toNewMessage(row, seq, number);
    });
  }

  async find(id: string): Promise<Message | undefined> {
    return this.#all(selectById, id)[0];
  }

  async listByNumber(number: number, inbox?: Inbox): Promise<readonly Message[]> {
    const { id = null, name = null } = inbox ?? {};
    return this.#all(selectByNumber, { number, id, name, limit: listedByNumber });
  }

  async findByKey(from: string, key: string): Promise<Message | undefined> {
    return this.#all(selectByKey, { from, key })[0];
  }

  async outline(to: string, now: number): Promise<Outline> {
    return readOutline(this.#db, to, now);
  }

  async listWaiting(to: string, bound: WaitingBound): Promise<readonly Message[]> {
    // Bodies are read only as far as the bound goes.
    const head = listHead(this.#db, to, bound);
    return takeBounded(this.#fetch(head), bound.bytes, bound.inParts ? sizeAtOnce : undefined);
  }

  async list(query: MessageQuery): Promise<readonly Message[]> {
    const sql = `${select} where ${matching(query)} order by seq limit @limit`;
    const found = this.#each(sql, { ...parameters(query), limit: query.limit });
    return takeBounded(found, query.bytes ?? Number.POSITIVE_INFINITY);
  }

  async count(query: MessageQuery): Promise<number> {
    const sql = `select count(*) as n from messages where ${matching(query)}`;
    return (this.#db.statement(sql).get(parameters(query)) as { n: number }).n;
  }

  async countByState(to: string): Promise<Partial<Record<MessageState, number>>> {
    return countInbox(this.#db, to);
  }

  async listOverdueRecipients(now: number, limit: number): Promise<readonly string[]> {
    const rows = this.#db.statement(selectOverdueRecipients).all({ now, limit });
    return (rows as { recipient: string }[]).map(({ recipient }) => recipient);
  }

  async listOverdue(to: string, now: number, limit: number): Promise<readonly Message[]> {
    return this.#all(selectOverdue, { to, now, limit });
  }

  async listStaleable(child: string, to: string): Promise<readonly Message[]> {
    return this.#all(selectStaleable, { child, to });
  }

  async findNewestCompletion(child: string, to: string): Promise<Message | undefined> {
    return this.#all(selectNewestCompletion, { child, to })[0];
  }

  async hasNewerCompletion(message: Message): Promise<boolean> {
    const { child, to, seq } = message;
    return this.#db.statement(selectNewer).get({ child: child ?? null, to, seq }) !== undefined;
  }

  async listDeadCompletions(child: string, reason: DeadReason): Promise<readonly Message[]> {
    return this.#all(selectDeadCompletions, { child, reason });
  }

  async move(ids: readonly string[], move: Move): Promise<readonly Moved[]> {
    const update = this.#db.statement(updateState[move.to]);
    const set = move.set ?? {};
    const changes = {
      from: move.from,
      guard: move.token ?? null,
      token: set.token ?? null,
      reason: set.reason ?? null,
      clearReason: set.reason === null ? 1 : 0,
      notLanded: set.notLanded ?? null,
      reoffered: flag(set.reoffered),
      mayRepeat: flag(set.mayRepeat),
      inContext: flag(set.inContext),
      takenBack: flag(set.wasTakenBack),
      carriedAs: set.carriedAs ?? null,
      clearExpiry: set.expiresAt === null ? 1 : 0,
      clearDiscarded: set.discardedAt === null ? 1 : 0,
      attempt: move.to === 'claimed' ? 1 : 0,
      settledAt: isSettled(move.to) ? move.at : null,
    };
    const moved: Moved[] = [];
    for (const id of ids) {
      const row = update.get({ id, ...changes }) as MovedRow | undefined;
      if (!row) continue;
      addHistory(this.#db, row.seq, move, findSubject(move, row.token ?? undefined));
      moved.push({ id, from: row.sender, to: row.recipient });
    }
    return moved;
  }

  async setDiscarded(id: string, at: number | undefined): Promise<void> {
    this.#db.statement(updateDiscarded).run(at ?? null, id);
  }

  async setInContext(id: string, inContext: boolean): Promise<void> {
    this.#db.statement(updateInContext).run(flag(inContext), id);
  }

  async leaveContext(to: string): Promise<void> {
    this.#db.statement(updateLeft).run({ to });
  }

  async history(id: string): Promise<readonly HistoryRow[]> {
    return readHistory(this.#db, id);
  }

  async foldHistory(id: string, first: number, count: number): Promise<void> {
    foldHistory(this.#db, id, first, count);
  }

  async prune(before: number, bound: PruneBound): Promise<Pruned> {
    return prune(this.#db, before, bound);
  }

  async countPrunable(
    before: number,
    bound: { readonly limit: number; readonly letters: number },
  ): Promise<number> {
    return countPrunable(this.#db, before, bound);
  }

  async listParties(afterSeq: number, limit: number): Promise<Parties> {
    return listParties(this.#db, afterSeq, limit);
  }

  async lastPrunedAt(): Promise<number> {
    return readLastPruned(this.#db);
  }

  async setLastPrunedAt(at: number): Promise<void> {
    writeLastPruned(this.#db, at);
  }

  #all(sql: string, parameters: unknown): readonly Message[] {
    return (this.#db.statement(sql).all(parameters) as MessageRow[]).map(toMessage);
  }

  *#fetch(head: readonly { seq: number }[]): Iterable<Message> {
    const statement = this.#db.statement(selectBySeq);
    for (const { seq } of head) yield toMessage(statement.get(seq) as MessageRow);
  }

  *#each(sql: string, parameters: unknown): Iterable<Message> {
    for (const row of this.#db.statement(sql).iterate(parameters))
      yield toMessage(row as MessageRow);
  }
}

interface MovedRow {
  readonly seq: number;
  readonly sender: string;
  readonly recipient: string;
  readonly token: number | null;
}

/** Longer bodies have a table of their own, so that a change of state does not write them again. */
function isLong(body: string): boolean {
  return body.length > 2048;
}

function flag(value: boolean | undefined): number | null {
  return value === undefined ? null : value ? 1 : 0;
}

const insertMessage = `
  insert into messages (id, number, kind, sender, recipient, state, truncated, urgent, created_at, expires_at, reply_to,
    answers_task, key, outcome, reason, turn, child, settled_at, body, quiet, script, prompt, owes, reports)
  values (@id, @number, @kind, @sender, @recipient, @state, @truncated, @urgent, @createdAt, @expiresAt, @replyTo,
    @answersTask, @key, @outcome, @reason, @turn, @child, @settledAt, @body, @quiet, @script, @prompt, @owes, @reports)`;
const insertBody = 'insert into bodies (message, body) values (?, ?)';
const selectNewestCompletion = `${select}
  where kind = 'completion' and child = @child and recipient = @to order by seq desc limit 1`;
const selectById = `${select} where id = ?`;
const selectByNumber = `
  ${select} where number = @number and (@id is null or recipient = @id)
    and (@name is null or (select name from agents where agents.id = recipient) = @name)
  order by seq desc limit @limit`;
const selectByKey = `${select} where sender = @from and key = @key`;
const selectBySeq = `${select} where seq = ?`;
const selectOverdueRecipients = `
  select distinct recipient from messages indexed by messages_expiry
  where state = 'queued' and expires_at is not null and expires_at <= @now limit @limit`;
const selectOverdue = `
  ${select} where recipient = @to and state = 'queued' and expires_at is not null and expires_at <= @now
  order by expires_at limit @limit`;
const selectStaleable = `
  ${select}
  where child = @child and recipient = @to and kind = 'completion' and state = 'queued' and answers_task = 0
  order by seq`;
const selectNewer = `
  select 1 from messages
  where child = @child and recipient = @to and kind = 'completion' and seq > @seq
    and state not in ('dead', 'expired', 'superseded') limit 1`;
const selectDeadCompletions = `
  ${select}
  where child = @child and kind = 'completion' and state = 'dead' and reason = @reason and discarded_at is null
  order by seq`;

const updateInContext = 'update messages set in_context = ? where id = ?';
const updateLeft = `
  update messages set in_context = 0 where recipient = @to and state = 'seen' and in_context = 1`;
const updateDiscarded = 'update messages set discarded_at = ? where id = ?';
