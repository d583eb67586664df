/** So many at once are nothing to be careful about. */
const few = 5;

/** Those who ask for the same at the same moment. */
export class Crowd {
  #count = 0;

  async join<T>(work: () => Promise<T>): Promise<T> {
    this.#count++;
    try {
      return await work();
    } finally {
      this.#count--;
    }
  }

  /**
   * Among many, what was just accepted is carried before anybody is told of it: two turns of the event loop. Fifty answers take
   * longer than fifty claims.
   */
  async giveWay(): Promise<void> {
    if (this.#count <= few) return;
    await turn();
    await turn();
  }
}

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
