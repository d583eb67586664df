import { statSync, utimesSync, writeFileSync } from 'node:fs';
import type { Clock } from '../../shared/clock.ts';

/** Longer than any waiter's next try. */
const yieldMs = 3;

/**
 * The file beside the ledger by which writers of several processes let each other in. A writer that
 * finds the lock taken touches it; a writer that finds it touched since its own last commit waits
 * before it begins again. Nothing is decided by the file: without it, only the waits grow.
 */
export class WaitFile {
  readonly #path: string;
  readonly #clock: Clock;
  #lastTouch = 0;
  #yieldUntilMs = 0;
  #lookedAtMs = 0;

  constructor(path: string, clock: Clock) {
    this.#path = path;
    this.#clock = clock;
  }

  /** To be called once, before the first write: touches from before do not count. */
  ignoreEarlier(): void {
    this.#lastTouch = this.#readTouch();
  }

  touch(): void {
    try {
      const now = new Date(this.#clock.now());
      utimesSync(this.#path, now, now);
    } catch {
      try {
        writeFileSync(this.#path, '', { mode: 0o600 });
      } catch {
        // A full disk or a folder that became read-only: only fairness is lost.
      }
    }
  }

  /** To be called after a commit. */
  noticeWaiters(): void {
    const nowMs = this.#clock.monotonicMs();
    // A look costs 7 µs of a commit's 200: one a millisecond is enough.
    if (nowMs === this.#lookedAtMs) return;
    this.#lookedAtMs = nowMs;
    const touched = this.#readTouch();
    if (touched === this.#lastTouch) return;
    this.#lastTouch = touched;
    this.#yieldUntilMs = nowMs + yieldMs;
  }

  /** To be called before a transaction begins. */
  async letOthersIn(): Promise<void> {
    const ms = this.#yieldUntilMs - this.#clock.monotonicMs();
    if (ms > 0) await this.#clock.sleep(ms);
  }

  #readTouch(): number {
    return statSync(this.#path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  }
}
