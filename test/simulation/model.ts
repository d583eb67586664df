import type { Faults } from './faults.ts';
import type { Scheduler } from './scheduler.ts';

/**
 * How one request to the model ends. `refused`: a status and no content. `dropped`: the stream
 * opened and broke before a unit of output, whatever headers, roles and empty chunks came.
 * `broken`: it broke after a word (rules 43, 49).
 */
export type Reply = 'answered' | 'refused' | 'dropped' | 'broken';

const failures = ['refused', 'dropped', 'broken'] as const;

export const failureActs = {
  refused: 'request refused',
  dropped: 'stream dropped before a word',
  broken: 'stream dropped after a word',
} as const;

/** One agent's model. */
export class FakeModel {
  readonly #scheduler: Scheduler;
  #downUntil = Number.NEGATIVE_INFINITY;
  #downAs: Reply = 'refused';

  constructor(scheduler: Scheduler) {
    this.#scheduler = scheduler;
  }

  /** Every request fails, in one way, for a while. */
  goDown(ms: number): void {
    this.#downUntil = this.#scheduler.monotonicMs + ms;
    this.#downAs = this.#scheduler.random.pick(failures);
  }

  /**
   * `share`: of those that fail, where requests fail at all. What an agent took itself has no
   * second chance but ours.
   */
  answer(faults: Faults | undefined, share: number): Reply {
    const { random, monotonicMs } = this.#scheduler;
    if (faults && monotonicMs < this.#downUntil) return this.#downAs;
    return faults?.modelFails && random.chance(share) ? random.pick(failures) : 'answered';
  }
}
