import type { DaemonInfo } from '../protocol/daemon.ts';
import { errorFacts } from '../shared/log.ts';
import { reportBug } from '../shared/report-bug.ts';
import type { Parts } from './compose.ts';
import { type Listener, listen } from './listen.ts';
import type { DaemonLock } from './lock.ts';
import type { DaemonLog } from './log.ts';

/** Running requests may take so long to end. */
const farewellMs = 1000;
/** The whole end may take so long; then it is cut short. */
const endMs = 5000;

/** From the moment it listens to the moment it has let go of everything. */
export class RunningDaemon {
  readonly #parts: Parts;
  readonly #lock: DaemonLock;
  readonly #logs: DaemonLog;
  #info: DaemonInfo & { readonly socket: string };
  #listener: Listener | undefined;

  constructor(
    parts: Parts,
    lock: DaemonLock,
    logs: DaemonLog,
    info: DaemonInfo & { readonly socket: string },
  ) {
    this.#parts = parts;
    this.#lock = lock;
    this.#logs = logs;
    this.#info = info;
  }

  /** Where it listens now. */
  get info(): DaemonInfo & { readonly socket: string } {
    return this.#info;
  }

  /** Introduced with its socket only once it listens there. */
  async listen(): Promise<void> {
    this.#listener = await listen(this.#info.socket, this.#parts.fetch);
    this.#lock.introduce(this.#info);
  }

  /**
   * Somebody tidied up: the socket, the link to it, or the log. The daemon is worth nothing if
   * nobody can reach it.
   */
  async keepReachable(prepare: () => string): Promise<void> {
    const { log, file } = this.#logs;
    file.follow();
    try {
      if (this.#listener?.isThere()) return;
      const socket = prepare();
      const isSame = socket === this.#info.socket;
      if (isSame && this.#listener?.isThere()) return;
      log.warn({ socket }, 'the socket was removed; it is made again');
      // The folder of a short link may be gone for good, as a runtime folder is after a logout.
      if (!isSame) this.#info = { ...this.#info, socket };
      const old = this.#listener;
      await this.listen();
      await old?.close(farewellMs);
    } catch (error) {
      reportBug('making the socket again', error);
      log.error(errorFacts(error), 'the socket cannot be made again');
    }
  }

  async close(): Promise<void> {
    const { log, file } = this.#logs;
    log.info({ agents: this.#parts.fleet.health().agents.running }, 'ending; agents live on');
    const timer = setTimeout(() => {
      log.error({}, 'the end took too long and was cut short');
      process.exit(1);
    }, endMs);
    // Streams end first: they are requests that would never end by themselves.
    this.#parts.bus.close();
    this.#parts.endWaits();
    await this.#listener?.close(farewellMs);
    await this.#parts.close();
    this.#lock.release(this.#info.pid);
    clearTimeout(timer);
    log.info({}, 'ended');
    file.close();
  }
}
