import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { Outcome } from '../life/check.ts';
import { type CliName, cliNames } from '../versions.ts';

/** One CLI, or one mixed team, and what came of its cases. */
export interface Row {
  /** A column of the table. */
  readonly label: string;
  /** The supervisor. */
  readonly cli: CliName;
  readonly version: string;
  /** Of the newest of its outcomes. */
  readonly day: string;
  /** The lab answered its questions as a person would. */
  readonly isApproved: boolean;
  /** Of a mixed team: its workers, with their versions. */
  readonly workers?: readonly string[];
  readonly totalMs: number;
  readonly outcomes: Readonly<Record<string, Outcome>>;
}

export interface TeamResults {
  readonly day: string;
  readonly network: string;
  readonly rows: readonly Row[];
}

/**
 * Lays this run over what the file holds, and gives both: what was tried again takes the place of
 * what was seen before.
 */
export function mergeResults(path: string | undefined, now: TeamResults): TeamResults {
  if (path === undefined) return now;
  const before = existsSync(path)
    ? (JSON.parse(readFileSync(path, 'utf8')) as TeamResults)
    : undefined;
  const kept = (before?.rows ?? []).filter(
    (row) => !now.rows.some(({ label, version }) => label === row.label && version !== row.version),
  );
  const labels = [...new Set([...kept, ...now.rows].map(({ label }) => label))].sort(inOrder);
  const rows = labels.flatMap((label) => {
    const [old, fresh] = [kept, now.rows].map((list) => list.find((row) => row.label === label));
    const outcomes = { ...old?.outcomes, ...withoutPaths(fresh?.outcomes ?? {}) };
    const row = fresh ?? old;
    // How long all of them take is known only of a run that tried all of them.
    const whole =
      old && Object.keys(old.outcomes).length > Object.keys(fresh?.outcomes ?? {}).length
        ? old
        : row;
    return row ? [{ ...row, totalMs: whole?.totalMs ?? row.totalMs, outcomes }] : [];
  });
  const results = { ...now, rows };
  writeFileSync(path, `${JSON.stringify(results, undefined, 2)}\n`);
  return results;
}

/** Evidence lies on the machine that ran it: its path means nothing elsewhere. */
function withoutPaths(outcomes: Row['outcomes']): Row['outcomes'] {
  return Object.fromEntries(
    Object.entries(outcomes).map(([name, outcome]) => [
      name,
      outcome.kind === 'failed' ? { ...outcome, evidence: '' } : outcome,
    ]),
  );
}

/** The seven first, each with its second row behind it, then the mixed teams. */
function inOrder(a: string, b: string): number {
  return rank(a) - rank(b) || a.localeCompare(b);
}

function rank(label: string): number {
  const at = cliNames.findIndex((name) => label === name || label.startsWith(`${name},`));
  return at < 0 ? cliNames.length : at;
}
