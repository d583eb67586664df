/** Gathers what is said in one turn of the event loop, and posts it as one: waking another thread is dearer than what is said. */
export class Outbox<T> {
  readonly #post: (messages: readonly T[]) => void;
  #waiting: T[] = [];

  constructor(post: (messages: readonly T[]) => void) {
    this.#post = post;
  }

  put(message: T): void {
    // After everything that is already under way in this turn.
    if (this.#waiting.length === 0) process.nextTick(() => this.flush());
    this.#waiting.push(message);
  }

  flush(): void {
    if (this.#waiting.length === 0) return;
    const messages = this.#waiting;
    this.#waiting = [];
    this.#post(messages);
  }
}
