import type { Debt, DebtEnd, Waiter } from '../../messages/debt.ts';
import type { DebtStore } from '../../messages/debt-store.ts';
import { isLater } from '../../shared/clock.ts';
import type { Tables } from './tables.ts';

export class MemoryDebtStore implements DebtStore {
  readonly #tables: Tables;

  constructor(tables: Tables) {
    this.#tables = tables;
  }

  async insert(debt: Pick<Debt, 'task' | 'debtor' | 'creditor' | 'givenAt'>): Promise<void> {
    this.#put(debt);
  }

  async find(task: string): Promise<Debt | undefined> {
    return this.#tables.debts.get(task);
  }

  async listOwedBy(debtor: string): Promise<readonly Debt[]> {
    return (await this.listOpen()).filter((debt) => debt.debtor === debtor);
  }

  async listOwedTo(creditor: string): Promise<readonly Debt[]> {
    return (await this.listOpen()).filter((debt) => debt.creditor === creditor);
  }

  async listOwedAt(creditor: string, at: number, now: number): Promise<readonly Debt[]> {
    const given = [...this.#tables.debts.values()].filter(
      (debt) => debt.creditor === creditor && !isLater(debt.givenAt, at, now),
    );
    return sort(given.filter(({ endedAt }) => endedAt === undefined || isLater(endedAt, at, now)));
  }

  async listOpen(): Promise<readonly Debt[]> {
    const open = [...this.#tables.debts.values()].filter(({ endedAt }) => endedAt === undefined);
    return sort(open);
  }

  async listEnded(debtor: string, since: number): Promise<readonly Debt[]> {
    const endOf = ({ endedAt = -1 }: Debt): number => endedAt;
    return [...this.#tables.debts.values()]
      .filter(
        (debt) => debt.debtor === debtor && debt.endedAt !== undefined && endOf(debt) >= since,
      )
      .sort((a, b) => endOf(a) - endOf(b) || (a.task < b.task ? -1 : 1));
  }

  async end(task: string, end: DebtEnd, by: string | undefined, at: number): Promise<boolean> {
    const debt = this.#get(task);
    if (debt.endedAt !== undefined) return false;
    this.#put({ ...debt, endedAt: at, end, ...(by === undefined ? {} : { endedBy: by }) });
    this.#tables.noteChange(task);
    return true;
  }

  async reopen(task: string): Promise<void> {
    const { debtor, creditor, givenAt, reports, endedAt } = this.#get(task);
    if (endedAt !== undefined) this.#tables.noteChange(task);
    this.#put({ task, debtor, creditor, givenAt, ...(reports ? { reports } : {}) });
  }

  async setReminded(task: string, at: number): Promise<void> {
    this.#put({ ...this.#get(task), remindedAt: at });
  }

  async setTold(task: string, by: string, at: number): Promise<void> {
    this.#put({ ...this.#get(task), toldAt: at, toldBy: by });
  }

  async setAsked(task: string, by: string | undefined): Promise<void> {
    const { askedBy: _, ...rest } = this.#get(task);
    this.#put(by === undefined ? rest : { ...rest, askedBy: by });
  }

  async addReport(task: string, message: string): Promise<void> {
    const debt = this.#get(task);
    this.#put({ ...debt, reports: [...(debt.reports ?? []), message] });
  }

  async setWaiter(task: string, waiter: Waiter | undefined): Promise<void> {
    const { waiter: _, ...rest } = this.#get(task);
    this.#put(waiter ? { ...rest, waiter } : rest);
  }

  #get(task: string): Debt {
    const debt = this.#tables.debts.get(task);
    if (!debt) throw new Error(`no debt ${task}`);
    return debt;
  }

  #put(debt: Debt): void {
    this.#tables.set(this.#tables.debts, debt.task, debt);
  }
}

function sort(debts: readonly Debt[]): readonly Debt[] {
  return debts.toSorted((a, b) => a.givenAt - b.givenAt || (a.task < b.task ? -1 : 1));
}
