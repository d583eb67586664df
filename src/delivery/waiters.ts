import type { WaitReason } from '../messages/wait-reason.ts';
import type { Clock } from '../shared/clock.ts';
import { pause, untilBeat } from '../shared/clock.ts';
import type { Carried } from './carried.ts';
import type { Parcel } from './deliver.ts';
import type { Said, Waiter } from './hook-desk.ts';
import type { DeliveryParts } from './parts.ts';
import type { Spoken } from './spoken.ts';

interface Waiting {
  readonly waiter: Waiter;
  readonly answer: (said: Said | 'dismissed') => void;
  readonly leave: () => void;
}

type WaitersParts = Pick<DeliveryParts, 'isAlive'> & {
  readonly surroundings: { readonly clock: Clock };
};

/** How often a hook that waits is looked after; milliseconds. */
const lookEveryMs = 2000;

/**
 * The waiting hooks of one agent. Each turn of Claude Code adds one, and each is a process: the
 * newest of a CLI's process stays, older ones are dismissed; a spare one, which a change of
 * settings has brought, goes at once where another waits. Only one whose parent lives is answered,
 * or may take another's place: orphans of a killed CLI would swallow a message (2.1.325). Dismissed
 * means for good, so nobody is dismissed because we end, or do not watch the agent yet (rule 23):
 * its connection ends, and it comes again.
 */
export class Waiters {
  readonly #parts: WaitersParts;
  readonly #changed: () => void;
  #waiting: Waiting | undefined;

  /** `changed`: one has come or gone. */
  constructor(parts: WaitersParts, changed: () => void) {
    this.#parts = parts;
    this.#changed = changed;
  }

  wait(waiter: Waiter, signal: AbortSignal): Promise<Said | 'dismissed'> {
    if (signal.aborted || !this.#isAlive(waiter)) return Promise.resolve('dismissed');
    if (waiter.isSpare && this.#isServed(waiter)) return Promise.resolve('dismissed');
    return new Promise((done) => {
      const over = new AbortController();
      const leave = (): void => {
        if (this.#waiting === mine) this.#waiting = undefined;
        mine.answer('dismissed');
        this.#changed();
      };
      const answer = (said: Said | 'dismissed'): void => {
        over.abort();
        signal.removeEventListener('abort', leave);
        done(said);
      };
      const mine: Waiting = { waiter, answer, leave };
      this.#waiting?.answer('dismissed');
      this.#waiting = mine;
      signal.addEventListener('abort', leave, { once: true });
      void this.#lookAfter(mine, over.signal);
      this.#changed();
    });
  }

  get isEmpty(): boolean {
    return this.#waiting === undefined;
  }

  blocked(): WaitReason | undefined {
    if (!this.#waiting) return { code: 'hook-missing' };
    if (this.#isAlive(this.#waiting.waiter)) return undefined;
    const isKilled = this.#parts.isAlive(this.#waiting.waiter.pid);
    return { code: isKilled ? 'hook-killed' : 'hook-orphaned' };
  }

  /** Hands the parcel to the hook that waits, and waits for its word. */
  async inject(parcel: Parcel, spoken: Spoken): Promise<Carried> {
    const waiting = this.#waiting;
    const objection = this.blocked();
    if (!waiting || objection !== undefined) {
      return { outcome: 'refused', reason: objection ?? { code: 'hook-missing' } };
    }
    this.#waiting = undefined;
    const { said, confirmed } = spoken.say(parcel, waiting.waiter.offer);
    waiting.answer(said);
    // Refused or too late: by then the claim has been given up on disk, and nothing was printed.
    return (await confirmed)
      ? { outcome: 'taken' }
      : { outcome: 'refused', reason: { code: 'hook-unconfirmed' } };
  }

  #isServed({ pid }: Waiter): boolean {
    const present = this.#waiting?.waiter;
    return present !== undefined && present.pid === pid && this.#isAlive(present);
  }

  /**
   * The hook itself, too: where a shell was killed, the curl that it ran keeps the connection, and
   * speaks for nobody.
   */
  #isAlive({ pid, hook }: Waiter): boolean {
    return this.#parts.isAlive(pid) && (hook === undefined || this.#parts.isAlive(hook));
  }

  async #lookAfter(mine: Waiting, over: AbortSignal): Promise<void> {
    const { clock } = this.#parts.surroundings;
    while (await pause(clock, untilBeat(clock, lookEveryMs), over)) {
      if (!this.#isAlive(mine.waiter)) return mine.leave();
    }
  }
}
