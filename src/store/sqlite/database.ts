/** What we use of SQLite, by whichever module it comes (`open-database.ts`). */
export interface Database {
  readonly inTransaction: boolean;
  prepare(sql: string): Statement;
  exec(sql: string): unknown;
  /** Its rows; with `simple` the first value alone. */
  pragma(text: string, options?: { readonly simple?: boolean }): unknown;
  close(): unknown;
}

export interface Statement {
  run(...parameters: readonly unknown[]): Changed;
  get(...parameters: readonly unknown[]): unknown;
  all(...parameters: readonly unknown[]): unknown[];
  iterate(...parameters: readonly unknown[]): IterableIterator<unknown>;
}

interface Changed {
  readonly changes: number;
  readonly lastInsertRowid: number | bigint;
}
