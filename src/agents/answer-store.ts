import type { Answer, AnswerOutcome } from './answer.ts';

/** The port behind which answers are kept. */
export interface AnswerStore {
  insert(answer: Answer): Promise<void>;
  /** False when it was settled before. */
  settle(id: string, end: AnswerEnd): Promise<boolean>;
  /** Whose daemon has died, all at once; how many there were. */
  settleAll(end: AnswerEnd): Promise<number>;
  /** Of one agent, the newest first. */
  list(agent: string, limit: number): Promise<readonly Answer[]>;
  /** Deletes settled ones that are older, at most so many; how many. */
  prune(before: number, limit: number): Promise<number>;
}

export interface AnswerEnd {
  readonly outcome: Exclude<AnswerOutcome, 'deciding'>;
  readonly reason?: string;
  readonly at: number;
}
