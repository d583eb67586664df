import type { Debt, DebtEnd, Waiter } from '../../messages/debt.ts';
import type { DebtStore } from '../../messages/debt-store.ts';
import type { Connection } from './connection.ts';
import { readTexts, readWaiter } from './json-columns.ts';
import { readColumn } from './read-column.ts';

export class SqliteDebtStore implements DebtStore {
  readonly #db: Connection;

  constructor(db: Connection) {
    this.#db = db;
  }

  async insert(debt: Pick<Debt, 'task' | 'debtor' | 'creditor' | 'givenAt'>): Promise<void> {
    this.#db.statement(insertDebt).run(debt);
  }

  async find(task: string): Promise<Debt | undefined> {
    const row = this.#db.statement(selectDebt).get(task) as DebtRow | undefined;
    return row && toDebt(row);
  }

  async listOwedBy(debtor: string): Promise<readonly Debt[]> {
    return (this.#db.statement(selectOwedBy).all(debtor) as DebtRow[]).map(toDebt);
  }

  async listOwedTo(creditor: string): Promise<readonly Debt[]> {
    return (this.#db.statement(selectOwedTo).all(creditor) as DebtRow[]).map(toDebt);
  }

  async listOwedAt(creditor: string, at: number, now: number): Promise<readonly Debt[]> {
    const rows = this.#db.statement(selectOwedAt).all({ creditor, at, now }) as DebtRow[];
    return rows.map(toDebt);
  }

  async listOpen(): Promise<readonly Debt[]> {
    return (this.#db.statement(selectOpen).all() as DebtRow[]).map(toDebt);
  }

  async listEnded(debtor: string, since: number): Promise<readonly Debt[]> {
    return (this.#db.statement(selectEnded).all(debtor, since) as DebtRow[]).map(toDebt);
  }

  async end(task: string, end: DebtEnd, by: string | undefined, at: number): Promise<boolean> {
    return this.#db.statement(updateEnd).run({ task, end, by: by ?? null, at }).changes === 1;
  }

  async reopen(task: string): Promise<void> {
    this.#db.statement(updateReopened).run(task);
  }

  async setReminded(task: string, at: number): Promise<void> {
    this.#db.statement(updateReminded).run(at, task);
  }

  async setTold(task: string, by: string, at: number): Promise<void> {
    this.#db.statement(updateTold).run({ task, by, at });
  }

  async setAsked(task: string, by: string | undefined): Promise<void> {
    this.#db.statement(updateAsked).run(by ?? null, task);
  }

  async addReport(task: string, message: string): Promise<void> {
    this.#db.statement(updateReports).run(message, task);
  }

  async setWaiter(task: string, waiter: Waiter | undefined): Promise<void> {
    this.#db.statement(updateWaiter).run(waiter ? JSON.stringify(waiter) : null, task);
  }
}

interface DebtRow {
  task: string;
  debtor: string;
  creditor: string;
  given_at: number;
  ended_at: number | null;
  end: DebtEnd | null;
  ended_by: string | null;
  reminded_at: number | null;
  told_at: number | null;
  told_by: string | null;
  asked_by: string | null;
  waiter: string | null;
  reports: string | null;
}

function toDebt(row: DebtRow): Debt {
  const at = { column: 'debts.reports', row: row.task, text: row.reports };
  const reports = readColumn({ ...at, read: readTexts });
  // Without it nobody waits: the answer comes as a message.
  const waits = { column: 'debts.waiter', row: row.task, text: row.waiter };
  const waiter = readColumn({ ...waits, read: readWaiter });
  return {
    task: row.task,
    debtor: row.debtor,
    creditor: row.creditor,
    givenAt: row.given_at,
    ...(row.ended_at === null ? {} : { endedAt: row.ended_at }),
    ...(row.end === null ? {} : { end: row.end }),
    ...(row.ended_by === null ? {} : { endedBy: row.ended_by }),
    ...(row.reminded_at === null ? {} : { remindedAt: row.reminded_at }),
    ...(row.told_at === null ? {} : { toldAt: row.told_at }),
    ...(row.told_by === null ? {} : { toldBy: row.told_by }),
    ...(row.asked_by === null ? {} : { askedBy: row.asked_by }),
    ...(reports === undefined ? {} : { reports }),
    ...(waiter === undefined ? {} : { waiter }),
  };
}

const insertDebt = `
  insert into debts (task, debtor, creditor, given_at) values (@task, @debtor, @creditor, @givenAt)`;
const selectDebt = 'select * from debts where task = ?';
const selectOwedBy =
  'select * from debts where debtor = ? and ended_at is null order by given_at, task';
const selectOwedTo =
  'select * from debts where creditor = ? and ended_at is null order by given_at, task';
const selectOwedAt = `
  select * from debts
  where creditor = @creditor and (given_at <= @at or given_at > @now)
    and (ended_at is null or (ended_at > @at and ended_at <= @now))
  order by given_at, task`;
const selectOpen = 'select * from debts where ended_at is null order by given_at, task';
const selectEnded = `
  select * from debts where debtor = ? and ended_at is not null and ended_at >= ? order by ended_at, task`;
const updateEnd = `
  update debts set ended_at = @at, end = @end, ended_by = @by where task = @task and ended_at is null`;
const updateReopened = `
  update debts set ended_at = null, end = null, ended_by = null, reminded_at = null, told_at = null,
    told_by = null, asked_by = null, waiter = null
  where task = ?`;
const updateReminded = 'update debts set reminded_at = ? where task = ?';
const updateTold = 'update debts set told_at = @at, told_by = @by where task = @task';
const updateAsked = 'update debts set asked_by = ? where task = ?';
// A list that cannot be read begins anew: the report itself must be accepted.
const updateReports = `
  update debts set reports = json_insert(
    case when json_valid(reports) then iif(json_type(reports) = 'array', reports, '[]') else '[]' end, '$[#]', ?) where task = ?`;
const updateWaiter = 'update debts set waiter = ? where task = ?';
