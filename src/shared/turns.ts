/** Flows one after another, in the order they asked. A flow's failure is its caller's alone. */
export class Turns {
  #last: Promise<unknown> = Promise.resolve();

  take<T>(flow: () => Promise<T>): Promise<T> {
    const mine = this.#last.then(flow);
    // Its caller gets the error; the next one only waits for the end.
    this.#last = mine.catch(() => undefined);
    return mine;
  }
}
