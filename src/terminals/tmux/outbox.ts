/**
 * Gathers what is said in one moment, and posts it as one: waking another thread is dearer than
 * what is said.
 */
export class Outbox<T> {
  readonly #post: (messages: readonly T[]) => void;
  #waiting: T[] = [];

  constructor(post: (messages: readonly T[]) => void) {
    this.#post = post;
  }

  put(message: T): void {
    // Behind what is ready to run now, and before anything that follows from it: a commit may, and
    // that stops the loop. A tick would come after it (traced: a look that is asked for beside a
    // claim was sent 1.4 ms late).
    if (this.#waiting.length === 0) queueMicrotask(() => this.flush());
    this.#waiting.push(message);
  }

  flush(): void {
    if (this.#waiting.length === 0) return;
    const messages = this.#waiting;
    this.#waiting = [];
    this.#post(messages);
  }
}
