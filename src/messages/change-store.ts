import type { DebtEnd } from './debt.ts';
import type { Message } from './message.ts';

/**
 * The port by which somebody who watches learns what is new, whoever wrote it: this process, a
 * command, a hook. Changes are numbered in the order of their commits, and no number comes twice.
 */
export interface ChangeStore {
  /** The number of the newest change; 0 before the first. */
  newest(): Promise<number>;
  /**
   * What came behind `after`, oldest first. `unknown`: some of it is not kept any more, or this is
   * not the ledger that gave the number.
   */
  listAfter(after: number, limit: number): Promise<readonly Change[] | 'unknown'>;
  /** These messages, as far as they are still there. */
  listBriefs(ids: readonly string[]): Promise<readonly Brief[]>;
  /**
   * The open ones, dead letters that nobody has discarded, and what came to its end at `since` or
   * later; the newest `limit`, oldest first.
   */
  listRecent(since: number, limit: number): Promise<readonly Brief[]>;
  /** How many `listRecent` would find without its limit. */
  countRecent(since: number): Promise<number>;
}

export interface Change {
  readonly number: number;
  /**
   * A message that moved, was discarded, or whose task is owed no longer; null: agents came or
   * went, or have another parent, or nothing is left of that message.
   */
  readonly message: string | null;
}

/** A message for a list. */
export interface Brief {
  /** Of a long body, its beginning. */
  readonly message: Message;
  /** When it came into its state. */
  readonly changedAt: number;
  /** Of a task: whether its answer is owed. */
  readonly debt?: DebtEnd | 'open';
}

/** So much of a body is in a brief at least, in characters. */
export const briefLength = 2048;

/** So many changes are kept at least. */
export const keptChanges = 19_000;
