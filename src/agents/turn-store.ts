/** What is counted about an agent's turns. All of it goes when the agent is removed (rule 35). */
export interface TurnStore {
  findBudget(agent: string, kind: BudgetKind): Promise<Budget | undefined>;
  setBudget(agent: string, kind: BudgetKind, budget: Budget): Promise<void>;
  findStop(agent: string): Promise<Stop | undefined>;
  setStop(agent: string, stop: Stop): Promise<void>;
  forget(agent: string): Promise<void>;
}

/** `blocks`: turns continued in a row (rule 19). `wakes` and `scripts`: turns begun within an hour (rule 21). */
export type BudgetKind = 'blocks' | 'wakes' | 'scripts';

export interface Budget {
  readonly used: number;
  /** Wall time of the first of them. */
  readonly since: number;
}

/** The last time a turn of this agent stopped (rule 26). */
export interface Stop {
  readonly session: string;
  readonly turn: string;
  /** The nth stop of that turn. */
  readonly n: number;
  /** Of what was reported, to know the same report again. */
  readonly digest: string;
  readonly at: number;
}
