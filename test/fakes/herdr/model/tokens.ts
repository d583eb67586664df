/**
 * Short facts about a pane or a workspace, each until it expires. They are not kept over a restart.
 */
export class Tokens {
  readonly #entries = new Map<string, { readonly value: string; readonly expiry: object }>();
  /** Last accepted sequence number of each source. */
  readonly #sequences = new Map<string, number>();

  get values(): Readonly<Record<string, string>> {
    return Object.fromEntries([...this.#entries].map(([key, { value }]) => [key, value]));
  }

  isFresh(source: string, sequence: number | undefined): boolean {
    return sequence === undefined || sequence > (this.#sequences.get(source) ?? -1);
  }

  /** Whether there was room to remember the source. */
  remember(source: string, sequence: number | undefined): boolean {
    if (sequence === undefined) return true;
    if (!this.#sequences.has(source) && this.#sequences.size >= mostSources) return false;
    this.#sequences.set(source, sequence);
    return true;
  }

  sizeAfter(patch: Readonly<Record<string, string | null>>): number {
    const keys = new Set(this.#entries.keys());
    for (const [key, value] of Object.entries(patch)) {
      if (value === null) keys.delete(key);
      else keys.add(key);
    }
    return keys.size;
  }

  /** Whether something became different. `expired` is called when something of it does so later. */
  patch(
    patch: Readonly<Record<string, string | null>>,
    ttlMs: number | undefined,
    expired: () => void,
  ): boolean {
    const before = JSON.stringify(this.values);
    const expiry = {};
    for (const [key, value] of Object.entries(patch)) {
      if (value === null) this.#entries.delete(key);
      else this.#entries.set(key, { value, expiry });
    }
    if (ttlMs !== undefined) {
      setTimeout(() => {
        const over = [...this.#entries].filter(([, entry]) => entry.expiry === expiry);
        for (const [key] of over) this.#entries.delete(key);
        if (over.length > 0) expired();
      }, ttlMs).unref();
    }
    return JSON.stringify(this.values) !== before;
  }
}

/** Sources of numbered reports that herdr remembers for each thing. */
export const mostSources = 32;
