import type { Debt, DebtEnd, Waiter } from './debt.ts';

/** The port behind which debts are kept. */
export interface DebtStore {
  insert(debt: Pick<Debt, 'task' | 'debtor' | 'creditor' | 'givenAt'>): Promise<void>;
  find(task: string): Promise<Debt | undefined>;
  /** Open ones of which the agent is the debtor, oldest first. */
  listOwedBy(debtor: string): Promise<readonly Debt[]>;
  /** Open ones of which the agent is the creditor. */
  listOwedTo(creditor: string): Promise<readonly Debt[]>;
  /**
   * Those that had been given by that moment and were still owed then; stamps later than `now` are
   * older than both (rule 5).
   */
  listOwedAt(creditor: string, at: number, now: number): Promise<readonly Debt[]>;
  listOpen(): Promise<readonly Debt[]>;
  /** Those of this debtor that ended at that moment or since, in the order of their ends. */
  listEnded(debtor: string, since: number): Promise<readonly Debt[]>;
  /** False when it had ended before. */
  end(task: string, end: DebtEnd, by: string | undefined, at: number): Promise<boolean>;
  /** As if it had never ended, nor been spoken of. */
  reopen(task: string): Promise<void>;
  setReminded(task: string, at: number): Promise<void>;
  setTold(task: string, by: string, at: number): Promise<void>;
  /** The question that keeps it open; undefined: the creditor has spoken. */
  setAsked(task: string, by: string | undefined): Promise<void>;
  addReport(task: string, message: string): Promise<void>;
  setWaiter(task: string, waiter: Waiter | undefined): Promise<void>;
}
