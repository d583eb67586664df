import type { StatusReport, Verdict } from '../../agents/status.ts';
import type { Provider } from '../../providers/provider.ts';
import type { Clock } from '../../shared/clock.ts';

/**
 * By then a question that nobody has seen is none: a hook of the person's own has answered it, or
 * it was never drawn.
 */
const mostMs = 20_000;

/**
 * A question that a CLI has told of, until something says that it is over. Between its word and the
 * question on the screen lie the CLI's own hooks, and the screen shows work meanwhile: 5.2 s with
 * Qwen Code 0.24.4 on a machine with a load of 18, where 4 s without a question had let Esc through
 * (2 of 20). Its own later word ends it; a CLI that has none for a person's answer has it ended by
 * a screen that has shown it and shows work again.
 */
export class ToldQuestion {
  readonly #clock: Pick<Clock, 'monotonicMs'>;
  /** Its CLI tells of the end of a question itself. */
  readonly #hasLastWord: boolean;
  #toldAt: number | undefined;
  #isDrawn = false;

  constructor(
    clock: Pick<Clock, 'monotonicMs'>,
    { approvals }: Pick<Provider['capabilities'], 'approvals'>,
  ) {
    this.#clock = clock;
    this.#hasLastWord = approvals === 'state';
  }

  get isOpen(): boolean {
    return this.#toldAt !== undefined && this.#clock.monotonicMs() - this.#toldAt < mostMs;
  }

  /** A hook's word, or the CLI's own state; undefined: it has withdrawn its last one. */
  told(report: Pick<StatusReport, 'status'> | undefined): void {
    if (report === undefined) return;
    this.#toldAt = report.status === 'waiting' ? this.#clock.monotonicMs() : undefined;
    this.#isDrawn = false;
  }

  /** By a look. */
  seen(verdict: Verdict): Verdict {
    const { status } = verdict;
    if (status === 'waiting') this.#isDrawn = true;
    else if (status === 'processing' && this.#isDrawn && !this.#hasLastWord)
      this.#toldAt = undefined;
    return verdict;
  }
}
