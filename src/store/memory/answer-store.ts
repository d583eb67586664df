import type { Answer } from '../../agents/answer.ts';
import type { AnswerEnd, AnswerStore } from '../../agents/answer-store.ts';
import type { Tables } from './tables.ts';

export class MemoryAnswerStore implements AnswerStore {
  readonly #tables: Tables;

  constructor(tables: Tables) {
    this.#tables = tables;
  }

  async insert(answer: Answer): Promise<void> {
    this.#tables.set(this.#tables.answers, answer.id, answer);
  }

  async settle(id: string, end: AnswerEnd): Promise<boolean> {
    const answer = this.#tables.answers.get(id);
    if (answer?.outcome !== 'deciding') return false;
    const { outcome, reason, at } = end;
    const settled = { ...answer, outcome, ...(reason === undefined ? {} : { reason }) };
    this.#tables.set(this.#tables.answers, id, { ...settled, settledAt: at });
    return true;
  }

  async settleAll(end: AnswerEnd): Promise<number> {
    let count = 0;
    for (const id of [...this.#tables.answers.keys()]) if (await this.settle(id, end)) count++;
    return count;
  }

  async list(agent: string, limit: number): Promise<readonly Answer[]> {
    return [...this.#tables.answers.values()]
      .filter((answer) => answer.agent === agent)
      .sort((a, b) => b.at - a.at || (a.id < b.id ? 1 : -1))
      .slice(0, limit);
  }

  async prune(before: number, limit: number): Promise<number> {
    const old = [...this.#tables.answers.values()]
      .filter(({ at, outcome }) => at < before && outcome !== 'deciding')
      .sort((a, b) => a.at - b.at)
      .slice(0, limit);
    for (const { id } of old) this.#tables.delete(this.#tables.answers, id);
    return old.length;
  }
}
