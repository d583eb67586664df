import type { Budget, BudgetKind, Stop, TurnStore } from '../../agents/turn-store.ts';
import type { Connection } from './connection.ts';

export class SqliteTurnStore implements TurnStore {
  readonly #db: Connection;

  constructor(db: Connection) {
    this.#db = db;
  }

  async findBudget(agent: string, kind: BudgetKind): Promise<Budget | undefined> {
    return this.#db.statement(selectBudget).get({ agent, kind }) as Budget | undefined;
  }

  async setBudget(agent: string, kind: BudgetKind, { used, since }: Budget): Promise<void> {
    this.#db.statement(upsertBudget).run({ agent, kind, used, since });
  }

  async findStop(agent: string): Promise<Stop | undefined> {
    return this.#db.statement(selectStop).get(agent) as Stop | undefined;
  }

  async setStop(agent: string, stop: Stop): Promise<void> {
    this.#db.statement(upsertStop).run({ agent, ...stop });
  }

  async forget(agent: string): Promise<void> {
    this.#db.statement(deleteBudgets).run(agent);
    this.#db.statement(deleteStop).run(agent);
  }
}

const selectBudget = 'select used, since from budgets where agent = @agent and kind = @kind';
const upsertBudget = `
  insert into budgets (agent, kind, used, since) values (@agent, @kind, @used, @since)
  on conflict (agent, kind) do update set used = excluded.used, since = excluded.since`;
const selectStop = 'select session, turn, n, digest, at from stops where agent = ?';
const upsertStop = `
  insert into stops (agent, session, turn, n, digest, at) values (@agent, @session, @turn, @n, @digest, @at)
  on conflict (agent) do update set session = excluded.session, turn = excluded.turn, n = excluded.n,
    digest = excluded.digest, at = excluded.at`;
const deleteBudgets = 'delete from budgets where agent = ?';
const deleteStop = 'delete from stops where agent = ?';
