import type { Json } from '../wire/json.ts';

/**
 * What clients did to the server since it started, or since the last `reset`. Benchmarks and tests
 * read it.
 */
export class Counters {
  #opened = 0;
  #open = 0;
  #requests = new Map<string, number>();
  #undecodable = 0;
  #scrolls: Json[] = [];

  connected(): void {
    this.#opened++;
    this.#open++;
  }

  disconnected(): void {
    this.#open--;
  }

  requested(method: string): void {
    this.#requests.set(method, (this.#requests.get(method) ?? 0) + 1);
  }

  notUnderstood(): void {
    this.#undecodable++;
  }

  /** A read that made herdr scroll the program it was meant to look at. */
  scrolled(how: Json): void {
    this.#scrolls.push(how);
  }

  reset(): void {
    this.#opened = 0;
    this.#requests = new Map();
    this.#undecodable = 0;
    this.#scrolls = [];
  }

  get report(): Json {
    return {
      connections: { opened: this.#opened, open: this.#open },
      requests: Object.fromEntries(this.#requests),
      undecodable: this.#undecodable,
      scrolls: this.#scrolls,
    };
  }
}
