import type { Interruption, InterruptionOutcome } from './interruption.ts';

/** The port behind which the ends of turns that the user asked for are kept. */
export interface InterruptionStore {
  insert(interruption: Interruption): Promise<void>;
  /** False when it was settled before. */
  settle(id: string, end: InterruptionEnd): Promise<boolean>;
  /** Whose daemon has died, all at once; how many there were. */
  settleAll(end: InterruptionEnd): Promise<number>;
  /** Of one agent, the newest first. */
  list(agent: string, limit: number): Promise<readonly Interruption[]>;
  /** Those whose turn may have held the message, in order. */
  listOf(agent: string, message: string): Promise<readonly Interruption[]>;
  /** Deletes settled ones that are older, at most so many; how many. */
  prune(before: number, limit: number): Promise<number>;
}

export interface InterruptionEnd extends Pick<Interruption, 'reason' | 'way'> {
  readonly outcome: Exclude<InterruptionOutcome, 'pressing'>;
  readonly presses: number;
  readonly at: number;
}
