/**
 * `pressing`: under way, or its daemon died with it. `ended`: the turn has ended; `unproven`: the
 * key or the word got there, and nothing has shown the end in time; `refused`: nothing was pressed.
 */
export type InterruptionOutcome = 'pressing' | 'ended' | 'unproven' | 'refused' | 'unknown';

/** One end of a turn that the user asked for by `interrupt`, as the ledger keeps it (rule 54). */
export interface Interruption {
  readonly id: string;
  readonly agent: string;
  readonly epoch: number;
  readonly outcome: InterruptionOutcome;
  readonly reason?: string;
  /** Absent while nothing has reached the CLI, and where nobody knows whether it has. */
  readonly way?: 'api' | 'keys';
  /** How often Esc was pressed. */
  readonly presses: number;
  /** The user, by id. */
  readonly by: string;
  /** Which account, and which terminal. */
  readonly who?: string;
  readonly place: 'terminal' | 'dashboard';
  /** What the turn may have held. */
  readonly messages: readonly string[];
  /** Wall time, just before the act. */
  readonly at: number;
  readonly settledAt?: number;
}
