import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { Outcome } from '../life/check.ts';
import type { CliName } from '../versions.ts';
import type { Row } from './table.ts';

/** Outcomes by CLI and case: what was tried again takes the place of what was seen before. */
type Stored = Partial<Record<CliName, StoredRow>>;

interface StoredRow {
  readonly version: string;
  readonly totalMs: number;
  readonly outcomes: Readonly<Record<string, Outcome>>;
}

/** Lays this run over what the file holds, and gives both: a table may be made of several runs. */
export function mergeResults(path: string, rows: readonly Row[]): readonly Row[] {
  const stored: Stored = existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Stored) : {};
  for (const { cli, version, outcomes, totalMs } of rows) {
    const before = stored[cli];
    const isSame = before?.version === version;
    stored[cli] = {
      version,
      totalMs: isSame ? before.totalMs : totalMs,
      outcomes: { ...(isSame ? before.outcomes : {}), ...Object.fromEntries(outcomes) },
    };
  }
  writeFileSync(path, `${JSON.stringify(stored, undefined, 1)}\n`);
  return Object.entries(stored).map(([cli, row]) => ({
    cli: cli as CliName,
    version: row.version,
    totalMs: row.totalMs,
    outcomes: new Map(Object.entries(row.outcomes)),
  }));
}
