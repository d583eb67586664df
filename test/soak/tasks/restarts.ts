import { setTimeout as delay } from 'node:timers/promises';
import type { LabBox } from '../../lab/life/box.ts';

const everyMs = 20_000;

/** Restarts the daemon every 20 s, by turns as asked and with kill -9, until it is ended. */
export class Restarts {
  readonly #box: LabBox;
  readonly #ending = new AbortController();
  readonly #work: Promise<void>;
  asked = 0;
  killed = 0;

  constructor(box: LabBox) {
    this.#box = box;
    this.#work = this.#go();
  }

  /** Waits for one that is under way: afterwards the daemon runs. */
  async end(): Promise<void> {
    this.#ending.abort();
    await this.#work;
  }

  async #go(): Promise<void> {
    const { signal } = this.#ending;
    for (let n = 0; ; n++) {
      await delay(everyMs, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      if (n % 2 === 0) {
        await this.#box.down();
        this.asked++;
      } else {
        await this.#box.killDaemon();
        this.killed++;
      }
      await this.#box.up();
    }
  }
}
