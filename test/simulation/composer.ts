import type { Composer } from '../../src/agents/status.ts';
import { Life } from './scheduler.ts';
import type { Stage } from './stage.ts';

/**
 * What stands in an agent's composer, and what the status monitor has seen of it, a little later.
 */
export class FakeComposer {
  text = '';
  isInCopyMode = false;
  humanKeyAt: number | undefined;
  seen: { readonly text: string; readonly since: number; readonly humanKeyAt: number | undefined };
  readonly #stage: Stage;

  constructor(stage: Stage) {
    this.#stage = stage;
    this.seen = { text: '', since: stage.scheduler.monotonicMs, humanKeyAt: undefined };
  }

  get isEmpty(): boolean {
    return this.text === '';
  }

  /** Its program has ended. */
  clear(): void {
    this.set('', 'program');
    this.isInCopyMode = false;
  }

  set(text: string, by: 'person' | 'program'): void {
    const { scheduler, random } = this.#stage;
    this.text = text;
    if (by === 'person') this.humanKeyAt = scheduler.monotonicMs;
    // A monitor may also be far behind; what counts is a look of one's own (rule 24).
    const mostMs = random.pick([0, 0, 500, 6000]);
    const lagMs = random.between(0, mostMs);
    scheduler.after(new Life(), lagMs, () => {
      const { text: now, humanKeyAt } = this;
      this.seen = { text: now, since: scheduler.monotonicMs, humanKeyAt };
    });
  }
}

export function describeComposer(text: string, isAtRest: boolean): Composer {
  if (!isAtRest) return 'unknown';
  return text === '' ? 'empty' : 'draft';
}
