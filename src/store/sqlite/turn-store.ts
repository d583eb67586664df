import type { Budget, BudgetKind, Stop, TurnStore } from '../../agents/turn-store.ts';
import type { TurnOutcome } from '../../messages/message.ts';
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

  async findLastStop(agent: string): Promise<Stop | undefined> {
    return toStop(this.#db.statement(selectLastStop).get(agent) as StopRow | undefined);
  }

  async findStop(
    agent: string,
    { session, turn }: Pick<Stop, 'session' | 'turn'>,
  ): Promise<Stop | undefined> {
    return toStop(
      this.#db.statement(selectStop).get({ agent, session, turn }) as StopRow | undefined,
    );
  }

  async hasStop(
    agent: string,
    { session, turn, n }: Pick<Stop, 'session' | 'turn' | 'n'>,
  ): Promise<boolean> {
    return this.#db.statement(selectHasStop).get({ agent, session, turn, n }) !== undefined;
  }

  async hasReport(
    agent: string,
    { session, turn }: Pick<Stop, 'session' | 'turn'>,
    report: string,
  ): Promise<boolean> {
    const found = this.#db.statement(selectHasReport).get({ agent, session, turn, report });
    return found !== undefined;
  }

  async countStops(agent: string, session: string): Promise<number> {
    const { count } = this.#db.statement(countStops).get({ agent, session }) as { count: number };
    return count;
  }

  async hasDigest(agent: string, digest: string): Promise<boolean> {
    return this.#db.statement(selectDigest).get({ agent, digest }) !== undefined;
  }

  async addStop(agent: string, stop: Stop): Promise<void> {
    this.#db.statement(insertStop).run(toRow(agent, stop));
  }

  async confirmStop(agent: string, stop: Stop): Promise<void> {
    this.#db.statement(updateStop).run(toRow(agent, stop));
  }

  async forget(agent: string): Promise<void> {
    this.#db.statement(deleteBudgets).run(agent);
    this.#db.statement(deleteStops).run(agent);
  }
}

interface StopRow extends Omit<Stop, 'isStandIn' | 'report' | 'outcome'> {
  readonly outcome: TurnOutcome | null;
  readonly stand_in: number;
  readonly report: string | null;
}

function toStop(row: StopRow | undefined): Stop | undefined {
  if (!row) return undefined;
  const { stand_in: standIn, report, outcome, ...stop } = row;
  return {
    ...{ ...stop, isStandIn: standIn === 1 },
    ...(report === null ? {} : { report }),
    ...(outcome === null ? {} : { outcome }),
  };
}

function toRow(agent: string, { isStandIn, report, outcome, ...stop }: Stop) {
  const maybe = { report: report ?? null, outcome: outcome ?? null };
  return { agent, ...stop, ...maybe, standIn: isStandIn ? 1 : 0 };
}

const selectBudget = 'select used, since from budgets where agent = @agent and kind = @kind';
const upsertBudget = `
  insert into budgets (agent, kind, used, since) values (@agent, @kind, @used, @since)
  on conflict (agent, kind) do update set used = excluded.used, since = excluded.since`;
const stopColumns = 'select session, turn, n, outcome, digest, at, stand_in, report from turn_ends';
const selectLastStop = `${stopColumns} where agent = ? order by id desc limit 1`;
const selectStop = `
  ${stopColumns} where agent = @agent and session = @session and turn = @turn order by n desc limit 1`;
const selectHasStop = `
  select 1 from turn_ends where agent = @agent and session = @session and turn = @turn and n = @n`;
const selectHasReport = `
  select 1 from turn_ends
  where agent = @agent and session = @session and turn = @turn and report = @report`;
const countStops = `
  select count(*) as count from turn_ends where agent = @agent and session = @session`;
const selectDigest = 'select 1 from turn_ends where agent = @agent and digest = @digest limit 1';
const insertStop = `
  insert into turn_ends (agent, session, turn, n, outcome, digest, at, stand_in, report)
  values (@agent, @session, @turn, @n, @outcome, @digest, @at, @standIn, @report)`;
const updateStop = `
  update turn_ends
  set outcome = @outcome, digest = @digest, at = @at, stand_in = @standIn, report = @report
  where agent = @agent and session = @session and turn = @turn and n = @n`;
const deleteBudgets = 'delete from budgets where agent = ?';
const deleteStops = 'delete from turn_ends where agent = ?';
