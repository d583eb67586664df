import type { HandedPart, PartStore } from '../../messages/part-store.ts';
import type { Tables } from './tables.ts';

export class MemoryPartStore implements PartStore {
  readonly #tables: Tables;

  constructor(tables: Tables) {
    this.#tables = tables;
  }

  async list(messageId: string): Promise<readonly HandedPart[]> {
    return this.#tables.parts.get(messageId) ?? [];
  }

  async put(part: HandedPart): Promise<void> {
    const { messageId } = part;
    const others = (this.#tables.parts.get(messageId) ?? []).filter(
      (other) => other.epoch !== part.epoch || other.part !== part.part,
    );
    const sorted = [...others, part].sort((a, b) => a.epoch - b.epoch || a.part - b.part);
    this.#tables.set(this.#tables.parts, messageId, sorted);
  }

  async doubt(recipient: string): Promise<void> {
    for (const { id, state } of this.#tables.listOpen(recipient)) {
      const parts = state === 'injected' ? this.#tables.parts.get(id) : undefined;
      if (!parts) continue;
      const doubted = parts.map(
        ({ line, ...part }): HandedPart =>
          part.state === 'handed'
            ? { ...part, state: 'uncertain' }
            : { ...part, ...(line === undefined ? {} : { line }) },
      );
      this.#tables.set(this.#tables.parts, id, doubted);
    }
  }
}
