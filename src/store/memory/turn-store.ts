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

  async findLastStop(agent: string): Promise<Stop | undefined> {
    return this.#stopsOf(agent).at(-1);
  }

  async findStop(
    agent: string,
    { session, turn }: Pick<Stop, 'session' | 'turn'>,
  ): Promise<Stop | undefined> {
    return this.#stopsOf(agent)
      .filter((stop) => stop.session === session && stop.turn === turn)
      .toSorted((a, b) => a.n - b.n)
      .at(-1);
  }

  async hasStop(
    agent: string,
    { session, turn, n }: Pick<Stop, 'session' | 'turn' | 'n'>,
  ): Promise<boolean> {
    return this.#stopsOf(agent).some(
      (stop) => stop.session === session && stop.turn === turn && stop.n === n,
    );
  }

  async hasReport(
    agent: string,
    { session, turn }: Pick<Stop, 'session' | 'turn'>,
    report: string,
  ): Promise<boolean> {
    return this.#stopsOf(agent).some(
      (stop) => stop.session === session && stop.turn === turn && stop.report === report,
    );
  }

  async countStops(agent: string, session: string): Promise<number> {
    return this.#stopsOf(agent).filter((stop) => stop.session === session).length;
  }

  async hasDigest(agent: string, digest: string): Promise<boolean> {
    return this.#stopsOf(agent).some((stop) => stop.digest === digest);
  }

  async addStop(agent: string, stop: Stop): Promise<void> {
    this.#tables.set(this.#tables.stops, agent, [...this.#stopsOf(agent), stop]);
  }

  async confirmStop(agent: string, stop: Stop): Promise<void> {
    const { session, turn, n } = stop;
    const stops = this.#stopsOf(agent).map((each) =>
      each.session === session && each.turn === turn && each.n === n ? stop : each,
    );
    this.#tables.set(this.#tables.stops, agent, stops);
  }

  async forget(agent: string): Promise<void> {
    for (const kind of ['blocks', 'wakes', 'scripts']) {
      this.#tables.delete(this.#tables.budgets, `${agent}/${kind}`);
    }
    this.#tables.delete(this.#tables.stops, agent);
  }

  #stopsOf(agent: string): readonly Stop[] {
    return this.#tables.stops.get(agent) ?? [];
  }
}
