import type { ProcessIdentity } from '../shared/processes.ts';

/** A task that was given, until it is answered (rule 30). */
export interface Debt {
  /** The message of the assign or handoff. */
  readonly task: string;
  readonly debtor: string;
  readonly creditor: string;
  readonly givenAt: number;
  readonly endedAt?: number;
  readonly end?: DebtEnd;
  /** The message that ended it. */
  readonly endedBy?: string;
  /** The debtor was idle and reminded, once. */
  readonly remindedAt?: number;
  /** The creditor was told that no answer came. */
  readonly toldAt?: number;
  readonly toldBy?: string;
  /** The debtor has asked the creditor something, and had no word from it since. */
  readonly askedBy?: string;
  /**
   * Messages of the debtor to the creditor since the task was given that do not answer it, in
   * order; at most `mostReports`.
   */
  readonly reports?: readonly string[];
  /**
   * The process whose caller waits for the answer: what ends the debt is claimed for it, in the
   * same transaction (rule 31).
   */
  readonly waiter?: Waiter;
}

/**
 * `answered` by a completion or a reply; `exited` when its process ended owing; `removed` with its
 * debtor; `dead` when the task never arrived; `withdrawn` when it was taken back.
 */
export type DebtEnd = 'answered' | 'exited' | 'removed' | 'dead' | 'withdrawn';

export interface Waiter {
  readonly id: string;
  readonly holder: ProcessIdentity;
  /**
   * When it began, on the monotonic clock of the holder's boot, and how long a claim for it may
   * live from then on.
   */
  readonly sinceMs: number;
  readonly leaseMs: number;
  /** Reports are kept for it as well, and handed over with the answer. */
  readonly takesReports?: true;
}

/** Of one task: what comes behind them is carried like any message, and is not named. */
export const mostReports = 100;
