/**
 * Writes of one kind, one after the other: at most one is under way, and of those that would wait
 * only the newest is kept. A ledger that is slow or locked finds one value to write, however many
 * there were meanwhile.
 */
export class NewestWrite<T> {
  readonly #write: (value: T) => Promise<void>;
  readonly #join: (waiting: T, newest: T) => T;
  #waiting: { readonly value: T } | undefined;
  #running: Promise<void> | undefined;

  /**
   * `write` never fails. `join`: what is left to write where one that waits is overtaken; the
   * newest, unless it is said otherwise.
   */
  constructor(
    write: (value: T) => Promise<void>,
    join: (waiting: T, newest: T) => T = (_, newest) => newest,
  ) {
    this.#write = write;
    this.#join = join;
  }

  put(value: T): void {
    this.#waiting = { value: this.#waiting ? this.#join(this.#waiting.value, value) : value };
    this.#running ??= this.#run();
  }

  /** Resolves when everything that was put is written, or was given up. */
  async settled(): Promise<void> {
    await this.#running;
  }

  async #run(): Promise<void> {
    for (let next = this.#take(); next; next = this.#take()) await this.#write(next.value);
    this.#running = undefined;
  }

  #take(): { readonly value: T } | undefined {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    return waiting;
  }
}
