import type { OutputChunk } from '../backend.ts';
import type { Followed } from './link.ts';

type Listener = (chunk: OutputChunk) => void;

/** Who follows which pane. The reader sends a pane's bytes only while somebody does. */
export class Followers {
  readonly #order: (pane: string, isOn: boolean) => void;
  readonly #listeners = new Map<string, Set<Listener>>();

  constructor(order: (pane: string, isOn: boolean) => void) {
    this.#order = order;
  }

  add(pane: string, listener: Listener): () => void {
    const listeners = this.#listeners.get(pane) ?? new Set();
    this.#listeners.set(pane, listeners);
    listeners.add(listener);
    if (listeners.size === 1) this.#order(pane, true);
    return () => {
      listeners.delete(listener);
      if (listeners.size > 0 || this.#listeners.get(pane) !== listeners) return;
      this.#listeners.delete(pane);
      this.#order(pane, false);
    };
  }

  take({ pane, lost, bytes }: Followed): void {
    const { buffer, byteOffset, byteLength } = bytes;
    for (const listener of this.#listeners.get(pane) ?? []) {
      if (lost > 0) listener({ kind: 'gap', lost });
      if (byteLength > 0)
        listener({ kind: 'bytes', bytes: Buffer.from(buffer, byteOffset, byteLength) });
    }
  }

  /** After a new connection: what was printed meanwhile is lost, nobody knows how much. */
  resume(panes: ReadonlySet<string>): void {
    for (const [pane, listeners] of this.#listeners) {
      if (!panes.has(pane)) continue;
      this.#order(pane, true);
      for (const listener of listeners) listener({ kind: 'gap', lost: 0 });
    }
  }
}
