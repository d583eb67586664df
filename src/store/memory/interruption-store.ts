import type { Interruption } from '../../agents/interruption.ts';
import type { InterruptionEnd, InterruptionStore } from '../../agents/interruption-store.ts';
import type { Tables } from './tables.ts';

export class MemoryInterruptionStore implements InterruptionStore {
  readonly #tables: Tables;

  constructor(tables: Tables) {
    this.#tables = tables;
  }

  async insert(interruption: Interruption): Promise<void> {
    this.#tables.set(this.#tables.interruptions, interruption.id, interruption);
  }

  async settle(id: string, end: InterruptionEnd): Promise<boolean> {
    const found = this.#tables.interruptions.get(id);
    if (found?.outcome !== 'pressing') return false;
    const { at: settledAt, ...rest } = end;
    this.#tables.set(this.#tables.interruptions, id, { ...found, ...rest, settledAt });
    return true;
  }

  async settleAll(end: InterruptionEnd): Promise<number> {
    let count = 0;
    for (const id of [...this.#tables.interruptions.keys()]) {
      if (await this.settle(id, end)) count++;
    }
    return count;
  }

  async list(agent: string, limit: number): Promise<readonly Interruption[]> {
    return this.#of(agent).reverse().slice(0, limit);
  }

  async listOf(agent: string, message: string): Promise<readonly Interruption[]> {
    return this.#of(agent).filter(({ messages }) => messages.includes(message));
  }

  async prune(before: number, limit: number): Promise<number> {
    const old = [...this.#tables.interruptions.values()]
      .filter(({ at, outcome }) => at < before && outcome !== 'pressing')
      .sort(inOrder)
      .slice(0, limit);
    for (const { id } of old) this.#tables.delete(this.#tables.interruptions, id);
    return old.length;
  }

  #of(agent: string): Interruption[] {
    return [...this.#tables.interruptions.values()]
      .filter((one) => one.agent === agent)
      .sort(inOrder);
  }
}

function inOrder(a: Interruption, b: Interruption): number {
  return a.at - b.at || (a.id < b.id ? -1 : 1);
}
