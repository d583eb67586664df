import { userAgentId } from '../agents/agent.ts';
import type { Bus, Subscription } from '../events/bus.ts';
import type { Delivery } from '../events/mailbox.ts';
import { pause } from '../shared/clock.ts';
import { reachFailPoint } from '../shared/fail-point.ts';
import { joinSignals } from '../shared/join-signals.ts';
import { reportBug } from '../shared/report-bug.ts';
import { type Book, type Noted, nothing } from './book.ts';
import { decide } from './decide.ts';
import { findMailEnd, type LookParts, look } from './look.ts';
import { listNoticed, putNotices, settleNotices } from './notice.ts';
import { flipMs, joinNoticed, markTold, type Open, type Path, remember } from './remember.ts';
import { endLeftOver } from './run-briefly.ts';
import type { TellParts } from './tell.ts';
import { type AttentionSettings, Teller } from './teller.ts';

/** Between two looks, however much happens: nothing here is due within a second. */
const restMs = 500;
/** While something is open, or could not be looked at: people come and go, and nobody tells. */
const everyMs = 5000;
/**
 * While nothing is. What begins is told by an event, also a message that another process wrote
 * (`mail-news.ts`), unless that one was killed before it could say so.
 */
const calmMs = 30_000;
/**
 * So often what was told is looked for in a file that cannot be read, within a minute; then the
 * user is told, perhaps twice, which is better than never.
 */
const mostReads = 12;
/** Of the daemon; terminals ring by themselves (`cli/live-ring.ts`). */
const paths: readonly Path[] = ['desktop', 'command', 'inbox'];
const needy: ReadonlySet<string> = new Set(['waiting', 'error']);
const topics = ['agent.*.status', 'agent.*.exited', 'agent.*.removed', 'message.*.queued'];

export interface AttentionParts extends LookParts, Omit<TellParts, 'over'> {
  readonly bus: Bus;
  readonly book: Book;
  /** Read anew whenever something is told: `config set` counts at once. */
  readonly settings: () => Promise<AttentionSettings>;
}

/**
 * Tells the user what needs a person, by the table in `decide.ts`. It owns its loop, what it
 * remembers, and the programs it starts; it may touch the user's inbox and one file. How it dies:
 * what was told is noted before it is shown (`book.ts`), so a kill in between shows it once or not
 * at all; the notice in the inbox has a key, and comes once. A program that hangs is ended, and
 * holds up only others of its path. On a full disk it tells all the same, and the next daemon may
 * tell it again; the notice waits for room. A look that fails is tried again.
 */
export class AttentionWatch {
  readonly #parts: AttentionParts;
  readonly #over = new AbortController();
  readonly #lastToldAtMs = new Map<Path, number>();
  readonly #teller: Teller;
  #running: Promise<void> = Promise.resolve();
  /** Something happened that may need a person. */
  #woken = new AbortController();
  #open: readonly Open[] = [];
  #mail: number | undefined;
  #settings: AttentionSettings = { desktop: 'auto', command: '' };
  readonly #troubles = new Set<string>();
  #reads = 0;

  constructor(parts: AttentionParts) {
    this.#parts = parts;
    this.#teller = new Teller({ ...parts, over: this.#over.signal }, () => this.#note());
  }

  start(): void {
    this.#running = this.#run();
  }

  /** Resolves when none of its programs runs. */
  shown(): Promise<void> {
    return this.#teller.ended();
  }

  /** Ends what it has started, within a second or two. */
  async close(): Promise<void> {
    this.#over.abort();
    await this.#running;
    await this.#teller.ended();
  }

  async #run(): Promise<void> {
    const { bus, clock } = this.#parts;
    const { signal } = this.#over;
    const news = bus.subscribe(topics, { isInside: true });
    signal.addEventListener('abort', () => news.close());
    while (!signal.aborted && !(await this.#recover())) await pause(clock, everyMs, signal);
    const listening = this.#listen(news);
    while (!signal.aborted) {
      // Before the look: what happens meanwhile is worth another one.
      this.#woken = new AbortController();
      const waitMs = await this.#try();
      const { signal: either, leave } = joinSignals([signal, this.#woken.signal]);
      await pause(clock, waitMs, either);
      leave();
      await pause(clock, restMs, signal);
    }
    await listening;
  }

  /** One event after the other, and none is kept. */
  async #listen(news: Subscription): Promise<void> {
    for (let told = await news.next(); told; told = await news.next()) {
      if (this.#isWorthALook(told)) this.#woken.abort();
    }
  }

  #isWorthALook(delivery: Delivery): boolean {
    const event = 'event' in delivery ? delivery.event : undefined;
    if (event?.kind === 'message') return event.data.to === userAgentId;
    if (event?.kind === 'status' && needy.has(event.data.status)) return true;
    const agent = event && 'agent' in event ? event.agent : undefined;
    return agent === undefined || this.#open.some(({ cause }) => cause.agent.id === agent);
  }

  /** False: the file or the ledger could not be read, and it has to be tried again. */
  async #recover(): Promise<boolean> {
    const { clock, log } = this.#parts;
    try {
      const { open, mail, running } = this.#readBook();
      this.#open = joinNoticed(open, await listNoticed(this.#parts));
      this.#mail = mail;
      const ended = running.length > 0 ? await endLeftOver(clock, running) : 0;
      if (ended > 0) log.warn({ ended }, 'what an earlier daemon had started was ended');
      return true;
    } catch (error) {
      reportBug('finding what was told', error);
      this.#complain(troubles.find, error);
      return false;
    }
  }

  #readBook(): Noted {
    try {
      return this.#parts.book.read();
    } catch (error) {
      this.#reads++;
      if (this.#reads < mostReads) throw error;
      reportBug('reading what was told', error);
      this.#complain(troubles.read, error);
      return nothing;
    }
  }

  /** How long to wait for the next look. */
  async #try(): Promise<number> {
    try {
      const waitMs = await this.#round();
      this.#troubles.delete(troubles.look);
      return waitMs;
    } catch (error) {
      reportBug('telling what needs a person', error);
      this.#complain(troubles.look, error);
      return everyMs;
    }
  }

  async #round(): Promise<number> {
    const { clock } = this.#parts;
    this.#mail ??= await findMailEnd(this.#parts);
    const sight = await look(this.#parts, this.#mail);
    this.#mail = sight.mail;
    const at = { now: clock.now(), monotonicMs: clock.monotonicMs() };
    const { open, over } = remember(this.#open, sight, at);
    this.#open = open;
    // Before they are noted no more: a next daemon settles them again, and nothing comes of it.
    await this.#settleGone(over);
    const { tell, nextInMs } = decide(open, at, paths, this.#lastToldAtMs);
    const shown = tell.filter(({ path }) => path !== 'inbox');
    for (const { path, open: due } of shown) {
      this.#lastToldAtMs.set(path, at.monotonicMs);
      this.#open = markTold(this.#open, due, path);
    }
    this.#passMail();
    this.#note();
    if (shown.length > 0) {
      await reachFailPoint('attention.noted');
      this.#settings = await this.#readSettings();
    }
    for (const { path, open: due } of shown) {
      const causes = due.map(({ cause }) => cause);
      if (path === 'desktop' || path === 'command') this.#teller.tell(path, causes, this.#settings);
    }
    for (const { path, open: due } of tell) if (path === 'inbox') await this.#notify(due);
    if (this.#open.length === 0) return calmMs;
    const isFlipping = this.#open.some(({ lastSeenAtMs }) => lastSeenAtMs !== at.monotonicMs);
    return Math.min(nextInMs ?? everyMs, isFlipping ? flipMs : everyMs);
  }

  /** All paths have told of messages up to this one. */
  #passMail(): void {
    for (const { cause, told } of this.#open) {
      const { message } = cause;
      if (!message || !told.includes('desktop') || !told.includes('command')) continue;
      this.#mail = Math.max(this.#mail ?? 0, message.seq);
    }
  }

  #note(): void {
    const { running } = this.#teller;
    try {
      this.#parts.book.write({ open: this.#open, mail: this.#mail, running });
      this.#troubles.delete(troubles.note);
    } catch (error) {
      reportBug('noting what was told', error);
      this.#complain(troubles.note, error);
    }
  }

  async #notify(due: readonly Open[]): Promise<void> {
    const keys = await putNotices(
      this.#parts,
      due.map(({ cause }) => cause),
    );
    const told = markTold(this.#open, due, 'inbox');
    this.#open = told.map((one) => {
      const at = due.findIndex(({ cause }) => cause === one.cause);
      return at === -1 ? one : { ...one, notice: keys[at] ?? '' };
    });
    this.#note();
  }

  async #settleGone(over: readonly Open[]): Promise<void> {
    const gone = over.flatMap(({ cause, notice }) => (notice ? [{ cause, notice }] : []));
    try {
      await settleNotices(this.#parts, gone);
      this.#troubles.delete(troubles.settle);
    } catch (error) {
      // The disk is full, or others write: they are gone at the next look, too.
      this.#open = [...this.#open, ...over.filter(({ notice }) => notice)];
      reportBug('settling notices', error);
      this.#complain(troubles.settle, error);
    }
  }

  async #readSettings(): Promise<AttentionSettings> {
    try {
      const settings = await this.#parts.settings();
      this.#troubles.delete(troubles.settings);
      return settings;
    } catch (error) {
      reportBug('reading the settings', error);
      this.#complain(troubles.settings, error);
      return this.#settings;
    }
  }

  /** Told once per spell: the disk may be full for a day. */
  #complain(what: string, error: unknown): void {
    if (this.#troubles.has(what)) return;
    this.#troubles.add(what);
    this.#parts.log.warn({ error: String(error) }, what);
  }
}

const troubles = {
  look: 'what needs a person could not be told; it is tried again',
  find: 'what was told cannot be found; it is tried again',
  read: 'what was told cannot be read; it may be told again',
  note: 'what was told cannot be noted; a next daemon may tell it again',
  settle: 'a notice could not be settled; it is tried again',
  settings: 'the settings cannot be read; those from before count',
} as const;
