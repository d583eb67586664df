// Tests: src/cli/watch-changes.test.ts, src/server/event-stream.test.ts.

import { type Clock, pause } from './clock.ts';

/**
 * A promise that is waited for again and again, each time for so long. It is heard once: a race for
 * each wait would hold on to every one of them until it settles, which may be after weeks.
 */
export class Pending<T> {
  /** Its error is for whoever waits for it; that may be later, or nobody. */
  readonly result: Promise<T>;
  #isSettled = false;
  #wake: () => void = () => undefined;

  constructor(result: Promise<T>) {
    this.result = result;
    const settle = (): void => {
      this.#isSettled = true;
      this.#wake();
    };
    // An error settles it, too; `result` goes on to hold it.
    result.then(settle, settle);
  }

  /** False: the time has passed, or the signal has ended the wait. One waits at a time. */
  async settlesWithin(clock: Clock, ms: number, over: AbortSignal): Promise<boolean> {
    if (this.#isSettled || over.aborted) return this.#isSettled;
    const enough = new AbortController();
    const end = (): void => enough.abort();
    this.#wake = end;
    over.addEventListener('abort', end);
    await pause(clock, ms, enough.signal);
    over.removeEventListener('abort', end);
    return this.#isSettled;
  }
}
