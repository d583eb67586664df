import type { Clock } from '../../shared/clock.ts';
import { pause } from '../../shared/clock.ts';
import { Fault } from '../../shared/fault.ts';
import { OutsideFailure, reportBug } from '../../shared/report-bug.ts';
import type { BackendState } from '../backend.ts';
import type { HerdrPlace } from './place.ts';
import { ask, HerdrError } from './request.ts';
import { identifySocket, startServer } from './server.ts';
import { readSnapshot } from './snapshot.ts';
import { type Hint, Subscription } from './subscription.ts';
import { Turnstile } from './turnstile.ts';
import { requireVersion, type ServerSight } from './version.ts';
import type { Json, Snapshot } from './wire.ts';

/**
 * Long enough for a server that is busy; nothing waits for ever (herdr answers most within 100 ms).
 */
const answerMs = 5000;
/** Events are hints and may be missed: this often all terminals are looked at in any case. */
const everyMs = 2000;
/**
 * What comes at once is one look; and so many hints in a row, as after a fresh subscription, are a
 * few.
 */
const gatherMs = 300;
/** While herdr is away: five tries in the first minute, three in each that follows (B11). */
const patienceMs = [1000, 3000, 9000, 20_000] as const;
/** Requests at the same time. herdr handles them one by one anyway. */
const atOnce = 8;

/**
 * The way to one herdr server: found or started, its version asked, subscribed, and then looked at;
 * only after all of that is it ready, and only then does the patience between two tries begin anew
 * (B11). It owns the subscription and the regular look; it dies with `close`, and herdr lives on.
 */
export class Link {
  readonly #place: HerdrPlace;
  readonly #clock: Clock;
  readonly #events: LinkEvents;
  readonly #over = new AbortController();
  readonly #turnstile = new Turnstile(atOnce);
  #state: BackendState = { state: 'connecting' };
  #fault: Fault | undefined;
  #server: ServerSight | undefined;
  #running: Promise<void> | undefined;
  #looking: Promise<Snapshot> | undefined;
  #next: Promise<Snapshot> | undefined;
  #soon: NodeJS.Timeout | undefined;
  #latest: Snapshot = { panes: new Map(), workspaces: new Map() };
  #misses = 0;
  #giveUp: (reason: string) => void = () => undefined;

  constructor(place: HerdrPlace, clock: Clock, events: LinkEvents) {
    this.#place = place;
    this.#clock = clock;
    this.#events = events;
  }

  /** As last seen; empty before. */
  get latest(): Snapshot {
    return this.#latest;
  }

  get state(): BackendState {
    return this.#state;
  }

  /** The server as it is now; throws with the reason when there is none. */
  server(): ServerSight {
    if (this.#server) return this.#server;
    throw this.#fault ?? lostFault(this.#state.detail);
  }

  start(): void {
    this.#running ??= this.#run();
  }

  async close(): Promise<void> {
    this.#over.abort();
    clearTimeout(this.#soon);
    this.#server = undefined;
    await this.#running;
    this.#state = { state: 'down', detail: 'closed' };
  }

  ask(method: string, params: Json = {}, deadlineMs = answerMs): Promise<Json> {
    this.server();
    return this.#ask(method, params, deadlineMs);
  }

  /** Everything that is there, asked for after this call; many callers share one answer. */
  look(): Promise<Snapshot> {
    this.server();
    if (!this.#looking) return this.#begin();
    // Whoever asked for that look is told how it ended.
    this.#next ??= this.#looking.catch(() => undefined).then(() => this.#begin());
    return this.#next;
  }

  #begin(): Promise<Snapshot> {
    this.#next = undefined;
    const server = this.server();
    const looking = readSnapshot((method) => this.#ask(method, {}, answerMs), server.isListed)
      .then((snapshot) => {
        if (this.#server === server) this.#see(snapshot);
        return snapshot;
      })
      .finally(() => {
        if (this.#looking === looking) this.#looking = undefined;
      });
    this.#looking = looking;
    return looking;
  }

  #ask(method: string, params: Json, deadlineMs: number): Promise<Json> {
    const { signal } = this.#over;
    return this.#turnstile.pass(() =>
      ask(this.#place.socket, { method, params, deadlineMs, signal }),
    );
  }

  async #run(): Promise<void> {
    let tries = 0;
    while (!this.#over.signal.aborted) {
      let subscription: Subscription | undefined;
      try {
        const found = await this.#setUp();
        subscription = found.subscription;
        tries = 0;
        this.#lose(await found.lost);
      } catch (error) {
        reportBug('connecting to herdr', error);
        this.#lose((error as Error).message, error instanceof Fault ? error : undefined);
      } finally {
        subscription?.close();
      }
      await this.#rest(patienceMs[Math.min(tries++, patienceMs.length - 1)] ?? 0);
    }
  }

  async #setUp(): Promise<{ subscription: Subscription; lost: Promise<string> }> {
    const server = requireVersion(await this.#reach());
    let lose: (reason: string) => void = () => undefined;
    const lost = new Promise<string>((resolve) => {
      lose = resolve;
    });
    const { socket } = this.#place;
    const events = { hint: (hint: Hint) => this.#hear(hint), lost: lose };
    const subscription = new Subscription(socket, server.isOld, events, answerMs);
    const stop = (): void => {
      lose('closed');
      subscription.close();
    };
    this.#over.signal.addEventListener('abort', stop);
    const forget = (): void => this.#over.signal.removeEventListener('abort', stop);
    try {
      await subscription.acknowledged();
      const { isListed } = server;
      const first = await readSnapshot((method) => this.#ask(method, {}, answerMs), isListed);
      this.#over.signal.throwIfAborted();
      // Lost while we looked: that was no whole set-up, and the patience goes on (B11).
      if (subscription.isOver) throw new OutsideFailure('herdr closed the subscription at once');
      this.#server = server;
      this.#fault = undefined;
      this.#see(first);
      this.#change({ state: 'ready', version: server.version });
      this.#misses = 0;
      this.#giveUp = lose;
      const regular = setInterval(() => this.#lookSoon(0), everyMs);
      regular.unref();
      void lost.then(() => {
        clearInterval(regular);
        forget();
      });
      return { subscription, lost };
    } catch (error) {
      forget();
      subscription.close();
      throw error;
    }
  }

  /** A socket that is absent, or that nobody listens on, is a server to be started (B12). */
  async #reach(): Promise<Json> {
    const { socket } = this.#place;
    const { signal } = this.#over;
    const ping = () => ask(socket, { method: 'ping', deadlineMs: answerMs, signal });
    const before = identifySocket(socket);
    try {
      if (before !== '') return await ping();
    } catch (error) {
      if (!(error instanceof HerdrError) || error.code !== 'ECONNREFUSED') throw error;
    }
    signal.throwIfAborted();
    await startServer(this.#place, this.#clock, before, signal);
    return ping();
  }

  #see(snapshot: Snapshot): void {
    const before = this.#latest;
    this.#latest = snapshot;
    this.#events.seen(snapshot, before);
  }

  #hear(hint: Hint): void {
    if (this.#server && this.#events.concerns(hint)) this.#lookSoon(gatherMs);
  }

  #lookSoon(inMs: number): void {
    if (this.#soon || this.#over.signal.aborted) return;
    this.#soon = setTimeout(() => {
      this.#soon = undefined;
      if (this.#server) void this.#lookNow();
    }, inMs);
    this.#soon.unref();
  }

  /**
   * A server that hangs keeps its subscriptions open and silent: one that twice did not answer is
   * lost. What was asked before this set-up says nothing about it.
   */
  async #lookNow(): Promise<void> {
    const server = this.#server;
    try {
      await this.look();
      if (this.#server === server) this.#misses = 0;
    } catch (error) {
      reportBug('a look at herdr', error);
      if (this.#server !== server) return;
      if (++this.#misses >= 2) this.#giveUp((error as Error).message);
    }
  }

  #lose(reason: string, fault?: Fault): void {
    this.#server = undefined;
    // Nobody waits for an answer that may never come before asking the next server.
    this.#looking = undefined;
    this.#next = undefined;
    this.#fault = fault;
    if (this.#over.signal.aborted) return;
    this.#change({ state: fault ? 'down' : 'connecting', detail: reason });
  }

  /** Told when it changes, not at every try: a dead herdr is one line in the log. */
  #change(state: BackendState): void {
    const isNews = state.state !== this.#state.state;
    this.#state = state;
    if (isNews) this.#events.state(state);
  }

  async #rest(ms: number): Promise<void> {
    await pause(this.#clock, ms, this.#over.signal);
  }
}

export interface LinkEvents {
  readonly state: (state: BackendState) => void;
  readonly seen: (snapshot: Snapshot, before: Snapshot) => void;
  /** Whether it is about something of ours. */
  readonly concerns: (hint: Hint) => boolean;
}

function lostFault(detail: string | undefined): Fault {
  return new Fault(
    'backend-lost',
    `There is no connection to herdr${detail ? ` (${detail})` : ''}.`,
    'It is connected again by itself; try again, and see `signalbox health` if it lasts.',
  );
}
