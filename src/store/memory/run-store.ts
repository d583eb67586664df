import type { Run } from '../../agents/run.ts';
import type { RunStore } from '../../agents/run-store.ts';
import type { Tables } from './tables.ts';

export class MemoryRunStore implements RunStore {
  readonly #tables: Tables;

  constructor(tables: Tables) {
    this.#tables = tables;
  }

  async insert(run: Pick<Run, 'agent' | 'title' | 'holder' | 'startedAt'>): Promise<void> {
    this.#tables.set(this.#tables.runs, run.agent, run);
  }

  async find(agent: string): Promise<Run | undefined> {
    return this.#tables.runs.get(agent);
  }

  async listOpen(): Promise<readonly Run[]> {
    const open = [...this.#tables.runs.values()].filter(({ endedAt }) => endedAt === undefined);
    return open.sort((a, b) => a.startedAt - b.startedAt || (a.agent < b.agent ? -1 : 1));
  }

  async end(agent: string, at: number, completion: string): Promise<boolean> {
    const run = this.#tables.runs.get(agent);
    if (!run || run.endedAt !== undefined) return false;
    this.#tables.set(this.#tables.runs, agent, { ...run, endedAt: at, completion });
    return true;
  }
}
