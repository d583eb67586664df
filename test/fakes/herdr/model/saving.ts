/**
 * When the session's file is written: so long after the last change, each of which puts it off
 * (H5), and with a clean stop. Whoever kills the server sooner loses what it was told since the
 * file was last written.
 */
export class Saving {
  readonly #save: () => void;
  readonly #afterMs: number;
  #timer: NodeJS.Timeout | undefined;
  #isOver = false;

  /** 0: with each change. */
  constructor(afterMs: number, save: () => void) {
    this.#afterMs = afterMs;
    this.#save = save;
  }

  /** Whether the file holds all that there is. */
  get isDone(): boolean {
    return this.#timer === undefined;
  }

  changed(): void {
    if (this.#isOver) return;
    clearTimeout(this.#timer);
    if (this.#afterMs === 0) this.#save();
    else this.#timer = setTimeout(() => this.#write(), this.#afterMs);
  }

  /** What comes behind it, such as the end of all programs, is no change. */
  end(): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
    this.#write();
  }

  #write(): void {
    this.#timer = undefined;
    this.#save();
  }
}
