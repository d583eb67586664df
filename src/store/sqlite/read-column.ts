import { reportBug } from '../../shared/report-bug.ts';

/** A JSON column of one row, and how to read it. */
export interface Column<T> {
  /** `agents.role` */
  readonly column: string;
  /** Which row: the agent, the life, the message. */
  readonly row: string;
  readonly text: string | null;
  readonly read: (text: string) => T | undefined;
}

/**
 * Undefined for null, and for a text that cannot be read. The latter is reported once, twice, four
 * times …, and harms its own row alone.
 */
export function readColumn<T>({ column, row, text, read }: Column<T>): T | undefined {
  if (text === null) return undefined;
  const value = read(text);
  if (value === undefined) {
    reportBug(`reading ${column} of ${row}`, new Error(`the ledger holds ${text.slice(0, 100)}`));
  }
  return value;
}
