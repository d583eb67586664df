import type { Injected } from '../providers/way-in.ts';
import type { Parcel } from './deliver.ts';
import type { Said, Waiter } from './hook-desk.ts';
import type { DeliveryParts } from './parts.ts';
import type { Spoken } from './spoken.ts';

interface Waiting {
  readonly waiter: Waiter;
  readonly answer: (said: Said | 'dismissed') => void;
}

/**
 * The waiting hooks of one agent. Each turn of Claude Code adds one, and each is a process: the newest of a CLI's process
 * stays, older ones are dismissed. Only one whose parent lives is answered, or may take another's place: orphans of a killed
 * CLI would swallow a message (2.1.325). Dismissed means for good, so nobody is dismissed because we end, or do not watch the
 * agent yet (rule 23): its connection ends, and it comes again.
 */
export class Waiters {
  readonly #parts: Pick<DeliveryParts, 'isAlive'>;
  #waiting: Waiting | undefined;

  constructor(parts: Pick<DeliveryParts, 'isAlive'>) {
    this.#parts = parts;
  }

  wait(waiter: Waiter, signal: AbortSignal): Promise<Said | 'dismissed'> {
    if (signal.aborted || !this.#parts.isAlive(waiter.pid)) return Promise.resolve('dismissed');
    return new Promise((answer) => {
      const mine: Waiting = { waiter, answer };
      this.#waiting?.answer('dismissed');
      this.#waiting = mine;
      const leave = (): void => {
        if (this.#waiting === mine) this.#waiting = undefined;
        answer('dismissed');
      };
      signal.addEventListener('abort', leave, { once: true });
    });
  }

  blocked(): string | undefined {
    if (!this.#waiting) return 'no waiting hook of it is connected';
    return this.#parts.isAlive(this.#waiting.waiter.pid)
      ? undefined
      : 'its waiting hook is an orphan';
  }

  /** Hands the parcel to the hook that waits, and waits for its word. */
  async inject(parcel: Parcel, spoken: Spoken): Promise<Injected> {
    const waiting = this.#waiting;
    const objection = this.blocked();
    if (!waiting || objection !== undefined) {
      return { outcome: 'refused', reason: objection ?? 'no waiting hook is connected' };
    }
    this.#waiting = undefined;
    const { said, confirmed } = spoken.say(parcel, waiting.waiter.offer);
    waiting.answer(said);
    // Refused or too late: by then the claim has been given up on disk, and nothing was printed.
    return (await confirmed)
      ? { outcome: 'taken' }
      : { outcome: 'refused', reason: 'its waiting hook did not confirm' };
  }
}
