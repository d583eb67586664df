import { systemClock } from '../../shared/clock.ts';
import type { Json } from '../../shared/json.ts';
import { reportBug } from '../../shared/report-bug.ts';
import { AppServer, type RequestId } from './app-server.ts';
import { hasClient } from './first-client.ts';

interface LinkEvents {
  /**
   * A new connection: everything is read again. What comes meanwhile waits. Throwing ends the
   * connection.
   */
  readonly opened: (server: AppServer) => Promise<void>;
  readonly notified: (server: AppServer, method: string, params: Json) => void | Promise<void>;
  /** In line with what is notified. */
  readonly asked: (
    server: AppServer,
    request: { readonly id: RequestId; readonly method: string; readonly params: Json },
  ) => void | Promise<void>;
  /** Told more than once for one loss. */
  readonly lost: () => void;
}

/**
 * From its start, until which the terminal program has connected even on a machine that is very
 * busy.
 */
const introductionMs = 20_000;
const lookMs = 250;
/** From its connection to its first words. */
const greetingMs = 1000;
const firstRetryMs = 250;
/** A server that is put up again is found within seconds (rule 53). */
const maxRetryMs = 5000;

/**
 * A connection to an app-server that is kept, and made again with back-off. The very first one
 * waits for the terminal program's: the server takes the name of its first client for the
 * originator of every request to the model (0.166.0), and that must stay Codex's own.
 */
export class ServerLink {
  readonly #path: string;
  readonly #events: LinkEvents;
  #server: AppServer | undefined;
  #timer: NodeJS.Timeout | undefined;
  #retryMs = firstRetryMs;
  #isClosed = false;
  #trouble: string | undefined;
  /** Notifications are handled one after the other, since some of them ask back. */
  #work: Promise<void> = Promise.resolve();

  constructor(path: string, events: LinkEvents) {
    this.#path = path;
    this.#events = events;
  }

  /** Undefined while there is none. */
  get server(): AppServer | undefined {
    return this.#server;
  }

  /**
   * Why there is none, in the words of the last vain try; undefined before the first, and while
   * there is one.
   */
  get trouble(): string | undefined {
    return this.#trouble;
  }

  /**
   * `startedAt`: wall time of the terminal program's start. At once for one that is old enough to
   * have introduced itself.
   */
  start(startedAt: number): void {
    const age = Math.max(0, systemClock.now() - startedAt);
    this.#await(systemClock.monotonicMs() + introductionMs - age);
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#server?.close();
    this.#server = undefined;
  }

  #await(introducedBy: number): void {
    const isOver = systemClock.monotonicMs() >= introducedBy;
    const hasCome = isOver ? true : hasClient(this.#path);
    if (isOver) this.#schedule(0);
    // Where it cannot be seen, a quick machine is assumed.
    else if (hasCome !== false) this.#schedule(greetingMs);
    else this.#later(lookMs, () => this.#await(introducedBy));
  }

  #schedule(inMs: number): void {
    this.#later(inMs, () => void this.#connect());
  }

  #later(inMs: number, work: () => void): void {
    if (this.#isClosed) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      work();
    }, inMs);
    this.#timer.unref();
  }

  async #connect(): Promise<void> {
    let own: AppServer | undefined;
    try {
      const server = await AppServer.connect(this.#path, {
        notification: (method, params) =>
          this.#take((from) => this.#events.notified(from, method, params)),
        // What waits in line when its connection ends is nobody's: a new server counts anew.
        request: (id, method, params) =>
          this.#take((from) =>
            from === own ? this.#events.asked(from, { id, method, params }) : undefined,
          ),
        closed: () => this.#lose(),
      });
      if (this.#isClosed) return server.close();
      own = server;
      this.#server = server;
      // In line with the notifications, so that what was read first is not told last.
      const opening = this.#work.then(() => this.#events.opened(server));
      // Told below; the next one only waits for the end.
      this.#work = opening.catch(() => undefined);
      await opening;
      this.#retryMs = firstRetryMs;
      this.#trouble = undefined;
    } catch (error) {
      this.#trouble = error instanceof Error ? error.message : String(error);
      reportBug("connecting to Codex's app-server", error);
      this.#server?.close();
      this.#lose();
    }
  }

  #lose(): void {
    this.#server = undefined;
    if (this.#isClosed || this.#timer) return;
    this.#events.lost();
    this.#schedule(this.#retryMs);
    this.#retryMs = Math.min(this.#retryMs * 2, maxRetryMs);
  }

  #take(tell: (server: AppServer) => void | Promise<void>): void {
    this.#work = this.#work
      .then(async () => {
        const server = this.#server;
        if (server && !this.#isClosed) await tell(server);
      })
      // A connection that was lost under it is told by its own event.
      .catch((error) => reportBug("taking news of Codex's app-server", error));
  }
}
