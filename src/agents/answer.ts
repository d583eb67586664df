import type { ShownQuestion } from './question.ts';

/** Where a decision was made: by a person, or by a supervisor's command or tool. */
export type AnswerPlace = 'terminal' | 'dashboard' | 'command' | 'tool';

/**
 * `deciding`: on its way, or its daemon died with it. `gone`: the question was over before;
 * `refused`: it did not get there, and the question stayed open.
 */
export type AnswerOutcome = 'deciding' | 'taken' | 'gone' | 'refused' | 'unknown';

/** One decision about one question of an agent, as the ledger keeps it (rule 54). */
export interface Answer extends Pick<ShownQuestion, 'asks' | 'text'> {
  readonly id: string;
  readonly agent: string;
  readonly epoch: number;
  /** Its name, which is bound to all that was shown. */
  readonly question: string;
  readonly decision: 'allow' | 'deny';
  readonly outcome: AnswerOutcome;
  readonly reason?: string;
  /** The user, or the supervisor, by id. */
  readonly by: string;
  /** Of the user at a terminal: which account, and which terminal. */
  readonly who?: string;
  readonly place: AnswerPlace;
  /** Wall time. */
  readonly at: number;
  readonly settledAt?: number;
}
