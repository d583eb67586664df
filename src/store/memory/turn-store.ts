import type { Budget, BudgetKind, Stop, TurnStore } from '../../agents/turn-store.ts';
import type { Tables } from './tables.ts';

export class MemoryTurnStore implements TurnStore {
  readonly #tables: Tables;

  constructor(tables: Tables) {
    this.#tables = tables;
  }

  async findBudget(agent: string, kind: BudgetKind): Promise<Budget | undefined> {
    return this.#tables.budgets.get(`${agent}/${kind}`);
  }

  async setBudget(agent: string, kind: BudgetKind, budget: Budget): Promise<void> {
    this.#tables.set(this.#tables.budgets, `${agent}/${kind}`, budget);
  }

  async findStop(agent: string): Promise<Stop | undefined> {
    return this.#tables.stops.get(agent);
  }

  async setStop(agent: string, stop: Stop): Promise<void> {
    this.#tables.set(this.#tables.stops, agent, stop);
  }

  async forget(agent: string): Promise<void> {
    for (const kind of ['blocks', 'wakes']) {
      this.#tables.delete(this.#tables.budgets, `${agent}/${kind}`);
    }
    this.#tables.delete(this.#tables.stops, agent);
  }
}
