import type { TurnOutcome } from '../messages/message.ts';

/** What is counted about an agent's turns. All of it goes when the agent is removed (rule 35). */
export interface TurnStore {
  findBudget(agent: string, kind: BudgetKind): Promise<Budget | undefined>;
  setBudget(agent: string, kind: BudgetKind, budget: Budget): Promise<void>;
  /** The last one that was told. */
  findLastStop(agent: string): Promise<Stop | undefined>;
  /** The last one that was told of this turn. */
  findStop(agent: string, turn: Pick<Stop, 'session' | 'turn'>): Promise<Stop | undefined>;
  hasStop(agent: string, stop: Pick<Stop, 'session' | 'turn' | 'n'>): Promise<boolean>;
  /** Whether this call of a hook has told any stop of this turn. */
  hasReport(agent: string, told: Pick<Stop, 'session' | 'turn'>, report: string): Promise<boolean>;
  /** How many were told of this conversation. */
  countStops(agent: string, session: string): Promise<number>;
  /** Some stop was told with exactly this. */
  hasDigest(agent: string, digest: string): Promise<boolean>;
  /** It stays until its agent is removed: whoever tells of it again tells nothing new. */
  addStop(agent: string, stop: Stop): Promise<void>;
  /** The authority has spoken after its stand-in, of the same stop. */
  confirmStop(agent: string, stop: Stop): Promise<void>;
  forget(agent: string): Promise<void>;
}

/**
 * `blocks`: turns continued in a row (rule 19). `wakes` and `scripts`: turns begun within an hour
 * (rule 21).
 */
export type BudgetKind = 'blocks' | 'wakes' | 'scripts';

export interface Budget {
  readonly used: number;
  /** Wall time of the first of them. */
  readonly since: number;
}

/** One stop of one turn, as it was told (rule 26). */
export interface Stop {
  readonly session: string;
  readonly turn: string;
  /** The nth stop of that turn. */
  readonly n: number;
  /** Undefined: a version that did not write it down told this stop. */
  readonly outcome?: TurnOutcome;
  /** Of what was reported, to know the same report again. */
  readonly digest: string;
  /** Wall time: when it ended where its source says so, and when it was told otherwise. */
  readonly at: number;
  /** The authority for turn ends was silent; another source told it. */
  readonly isStandIn: boolean;
  /** The call of the hook that told it. */
  readonly report?: string;
}
