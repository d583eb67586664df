import type { Agent } from '../../agents/agent.ts';
import type { Caller } from '../../agents/caller.ts';
import { isGap } from '../../events/mailbox.ts';
import type { AgentView } from '../../protocol/agents.ts';
import type { FeedItem } from '../../protocol/page.ts';
import { pause } from '../../shared/clock.ts';
import { errorFacts } from '../../shared/log.ts';
import { reportBug } from '../../shared/report-bug.ts';
import { Turns } from '../../shared/turns.ts';
import type { LedgerTransaction } from '../../store/ledger.ts';
import type { LiveContext } from '../context.ts';
import { showAgentsNow } from './agent-views.ts';
import { nameDebts } from './name-debts.ts';
import { viewAttention, viewPageMessages } from './page-views.ts';

/** Commands and hooks write without a word to the daemon: so often it looks by itself. */
const lookMs = 1000;
/** What comes within this time goes together: a busy team is looked at ten times a second. */
const gatherMs = 100;
/** Of one look; what lies behind is the next one's. */
const mostChanges = 1000;
/** A reader who is so much behind looks at everything anew. */
const mostMissed = 4000;
/** Of an agent whose status has changed: what waits for it waits for something else now. */
const mostWaiting = 20;

const topics = ['status', 'launched', 'exited', 'rehomed', 'removed'].map(
  (kind) => `agent.*.${kind}`,
);

/**
 * What is new, for everybody who watches: read once from the numbered changes of the ledger, so
 * that moves of commands, hooks and other processes are in it, and once from the agents' statuses.
 * It works only while somebody watches.
 */
export class PageFeed {
  readonly #context: LiveContext;
  readonly #caller: Caller;
  readonly #readers = new Set<PageReader>();
  readonly #turns = new Turns();
  /** As they were told last. */
  readonly #agents = new Map<string, { readonly view: AgentView; readonly text: string }>();
  readonly #touched = new Set<string>();
  #attention = '';
  #cursor = 0;
  #over: AbortController | undefined;
  #wake = new AbortController();
  #isDue = false;

  constructor(context: LiveContext, caller: Caller) {
    this.#context = context;
    this.#caller = caller;
  }

  /** `after`: the number of the change that the reader knows. */
  follow(after: number): Promise<PageReader> {
    return this.#turns.take(async () => {
      if (this.#readers.size === 0) await this.#begin();
      else await this.#look();
      const reader = new PageReader(() => this.#leave(reader));
      this.#readers.add(reader);
      try {
        const missed = await this.#listMissed(after);
        if (missed === 'unknown') reader.tellGap();
        else reader.tell([...this.#describeState(), ...missed]);
      } catch (error) {
        reader.close();
        throw error;
      }
      return reader;
    });
  }

  #describeState(): readonly FeedItem[] {
    const cursor = this.#cursor;
    const agents = [...this.#agents.values()].map(({ view }) => agentItem(cursor, view));
    return [...agents, { kind: 'attention', cursor, attention: JSON.parse(this.#attention) }];
  }

  #leave(reader: PageReader): void {
    this.#readers.delete(reader);
    if (this.#readers.size === 0) this.#over?.abort();
  }

  /** Nobody watched before: what was known then is old. */
  async #begin(): Promise<void> {
    const { ledger } = this.#context;
    this.#agents.clear();
    await ledger.read(async (tx) => {
      this.#cursor = await tx.changes.newest();
      for (const view of await this.#view(tx, await tx.agents.list())) this.#note(view);
      this.#attention = await this.#findAttention(tx);
    });
    const over = new AbortController();
    this.#over = over;
    void this.#run(AbortSignal.any([over.signal, this.#context.live.ending]));
  }

  async #run(over: AbortSignal): Promise<void> {
    const { surroundings, live, log } = this.#context;
    const { clock } = surroundings;
    const subscription = live.bus.subscribe([...topics, 'message.*.*'], { isInside: true });
    void this.#hear(subscription);
    while (!over.aborted) {
      this.#wake = new AbortController();
      if (!this.#isDue) await pause(clock, lookMs, AbortSignal.any([this.#wake.signal, over]));
      if (over.aborted) break;
      this.#isDue = false;
      try {
        await this.#turns.take(() => this.#look());
      } catch (error) {
        reportBug('looking for what the dashboard shows', error);
        log?.warn(errorFacts(error), 'the dashboard is not told what is new');
      }
      await pause(clock, gatherMs, over);
    }
    subscription.close();
    if (live.ending.aborted) for (const reader of [...this.#readers]) reader.close();
  }

  async #hear(subscription: ReturnType<LiveContext['live']['bus']['subscribe']>): Promise<void> {
    for (;;) {
      const delivery = await subscription.next();
      if (!delivery) return;
      // Of what was lost nobody knows whose it was.
      if (isGap(delivery)) for (const id of this.#agents.keys()) this.#touched.add(id);
      else if ('agent' in delivery.event) this.#touched.add(delivery.event.agent);
      this.#isDue = true;
      this.#wake.abort();
    }
  }

  async #look(): Promise<void> {
    const touched = [...this.#touched];
    this.#touched.clear();
    const items = await this.#context.ledger
      .read((tx) => this.#gather(tx, new Set(touched)))
      .catch((error: unknown) => {
        for (const id of touched) this.#touched.add(id);
        throw error;
      });
    for (const reader of this.#readers) {
      if (items === 'unknown') reader.tellGap();
      else reader.tell(items);
    }
  }

  async #gather(
    tx: LedgerTransaction,
    touched: ReadonlySet<string>,
  ): Promise<readonly FeedItem[] | 'unknown'> {
    const changes = await tx.changes.listAfter(this.#cursor, mostChanges);
    if (changes === 'unknown') {
      this.#cursor = await tx.changes.newest();
      return 'unknown';
    }
    if (changes.length === 0 && touched.size === 0) return [];
    this.#cursor = changes.at(-1)?.number ?? this.#cursor;
    const cursor = this.#cursor;
    const ids = new Set(changes.flatMap(({ message }) => (message === null ? [] : [message])));
    const moved = await tx.changes.listBriefs([...ids]);
    const about = new Set(touched);
    for (const { message } of moved) about.add(message.from).add(message.to);
    const isRoster = changes.some(({ message }) => message === null);
    const { shown, gone } = await this.#lookAtAgents(tx, about, isRoster);
    const waiting = await listWaiting(tx, shown, ids);
    const messages = await viewPageMessages(this.#context, tx, [...moved, ...waiting], cursor);
    return [
      ...messages.map((message) => ({ kind: 'message' as const, cursor, message })),
      ...shown.map((agent) => agentItem(cursor, agent)),
      ...gone.map((id) => ({ kind: 'agent-gone' as const, cursor, id })),
      ...(await this.#tellAttention(tx, cursor)),
    ];
  }

  /** Those that look another way than they were told last. */
  async #lookAtAgents(
    tx: LedgerTransaction,
    about: ReadonlySet<string>,
    isRoster: boolean,
  ): Promise<{ readonly shown: readonly AgentView[]; readonly gone: readonly string[] }> {
    const living = await tx.agents.list();
    const known = new Set(living.map(({ id }) => id));
    const gone = [...this.#agents.keys()].filter((id) => !known.has(id));
    for (const id of gone) this.#agents.delete(id);
    const wanted = living.filter(({ id }) => isRoster || about.has(id) || !this.#agents.has(id));
    const shown = (await this.#view(tx, wanted)).filter((view) => this.#note(view));
    return { shown, gone };
  }

  async #view(tx: LedgerTransaction, agents: readonly Agent[]): Promise<readonly AgentView[]> {
    const views = await showAgentsNow(this.#context, tx, agents);
    return nameDebts(tx, this.#caller.agent, views);
  }

  /** Says whether it is new. */
  #note(view: AgentView): boolean {
    const text = JSON.stringify(view);
    if (this.#agents.get(view.id)?.text === text) return false;
    this.#agents.set(view.id, { view, text });
    return true;
  }

  async #tellAttention(tx: LedgerTransaction, cursor: number): Promise<readonly FeedItem[]> {
    const text = await this.#findAttention(tx);
    if (text === this.#attention) return [];
    this.#attention = text;
    return [{ kind: 'attention', cursor, attention: JSON.parse(text) }];
  }

  async #findAttention(tx: LedgerTransaction): Promise<string> {
    const views = [...this.#agents.values()].map(({ view }) => view);
    return JSON.stringify(await viewAttention(tx, views));
  }

  async #listMissed(after: number): Promise<readonly FeedItem[] | 'unknown'> {
    return this.#context.ledger.read(async (tx) => {
      const changes = await tx.changes.listAfter(after, mostMissed + 1);
      if (changes === 'unknown' || changes.length > mostMissed) return 'unknown';
      const ids = new Set(changes.flatMap(({ message }) => (message === null ? [] : [message])));
      const briefs = await tx.changes.listBriefs([...ids]);
      const cursor = changes.at(-1)?.number ?? after;
      const messages = await viewPageMessages(this.#context, tx, briefs, cursor);
      return messages.map((message) => ({ kind: 'message' as const, cursor, message }));
    });
  }
}

function agentItem(cursor: number, agent: AgentView): FeedItem {
  return { kind: 'agent', cursor, agent };
}

async function listWaiting(
  tx: LedgerTransaction,
  agents: readonly AgentView[],
  told: ReadonlySet<string>,
) {
  const ids: string[] = [];
  for (const { id: to, inbox } of agents) {
    if (inbox.queued === 0) continue;
    const query = { to, states: ['queued'], limit: mostWaiting } as const;
    ids.push(...(await tx.messages.list({ ...query, bytes: 1 })).map(({ id }) => id));
  }
  return tx.changes.listBriefs(ids.filter((id) => !told.has(id)));
}

/** What a reader has not taken; more than that, and it begins anew. */
const mostUntaken = 8000;

/** One who watches, at its own pace. */
export class PageReader {
  readonly #onClose: () => void;
  #items: FeedItem[] = [];
  #isOver = false;
  #ready: () => void = () => undefined;

  constructor(onClose: () => void) {
    this.#onClose = onClose;
  }

  tell(items: readonly FeedItem[]): void {
    if (this.#isOver || items.length === 0) return;
    this.#items.push(...items);
    if (this.#items.length > mostUntaken) this.tellGap();
    this.#ready();
  }

  /** The last word: whoever hears it looks at everything anew, and follows from there. */
  tellGap(): void {
    if (this.#isOver) return;
    this.#items = [{ kind: 'gap' }];
    this.#end();
  }

  /** Undefined at the end. */
  async next(): Promise<FeedItem | undefined> {
    while (this.#items.length === 0 && !this.#isOver) {
      await new Promise<void>((resolve) => {
        this.#ready = resolve;
      });
    }
    return this.#items.shift();
  }

  close(): void {
    this.#items = [];
    this.#end();
  }

  #end(): void {
    this.#isOver = true;
    this.#ready();
    this.#onClose();
  }
}
