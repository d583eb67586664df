// Tests: src/providers/codex/questions.test.ts.

import { reportBug } from '../../shared/report-bug.ts';

const firstMs = 250;
const longestMs = 5000;

interface Wait {
  readonly timer: NodeJS.Timeout;
  readonly ms: number;
}

/**
 * Threads of one connection that its server would not describe. That says nothing of them
 * (rule 41): each is asked for again, ever more seldom, until it is described or the connection
 * ends.
 */
export class UnreadThreads {
  readonly #read: (id: string) => Promise<void>;
  readonly #waits = new Map<string, Wait>();

  /** `read` throws while the thread cannot be read, and takes it off when it was. */
  constructor(read: (id: string) => Promise<void>) {
    this.#read = read;
  }

  has(id: string): boolean {
    return this.#waits.has(id);
  }

  add(id: string): void {
    if (!this.#waits.has(id)) this.#wait(id, firstMs);
  }

  delete(id: string): void {
    clearTimeout(this.#waits.get(id)?.timer);
    this.#waits.delete(id);
  }

  clear(): void {
    for (const id of [...this.#waits.keys()]) this.delete(id);
  }

  #wait(id: string, ms: number): void {
    const timer = setTimeout(() => void this.#try(id), ms);
    timer.unref();
    this.#waits.set(id, { timer, ms });
  }

  async #try(id: string): Promise<void> {
    const wait = this.#waits.get(id);
    if (!wait) return;
    try {
      await this.#read(id);
    } catch (error) {
      reportBug('reading a thread of Codex again', error);
      // Read by somebody else meanwhile, or its connection is gone.
      if (this.#waits.get(id) === wait) this.#wait(id, Math.min(wait.ms * 2, longestMs));
    }
  }
}
