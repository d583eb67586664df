import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** What the lab has seen of one version of a CLI, case by case. */
export interface VersionTrial {
  readonly cli: string;
  readonly version: string;
  /** When: a day, as in 2026-11-18. */
  readonly day: string;
  /** Of main, from which the program was built; rows of older runs do not say. */
  readonly commit?: string;
  /** How busy the machine was: the average of five minutes, when the last case was over. */
  readonly load?: number;
  readonly outcomes: Readonly<
    Record<string, { readonly kind: 'passed' | 'failed' | 'spared'; readonly reason?: string }>
  >;
}

/** The file comes from the lab (docs/results/versions.json) and ships with the program. */
export interface VersionTrials {
  readonly rows: readonly VersionTrial[];
}

export function loadVersionTrials(): readonly VersionTrial[] {
  const path = ['./versions.json', '../../docs/results/versions.json']
    .map((relative) => fileURLToPath(new URL(relative, import.meta.url)))
    .find((candidate) => existsSync(candidate));
  if (path === undefined) return [];
  return (JSON.parse(readFileSync(path, 'utf8')) as VersionTrials).rows;
}

/** One trial, counted. */
export interface TriedVersion {
  readonly version: string;
  readonly day: string;
  readonly held: number;
  readonly cases: number;
  /** What does not hold, or cannot be asked for, each with what was seen. */
  readonly notHeld: Readonly<Record<string, string>>;
}

/** What the lab has seen of versions of one CLI beside the one that its rules were written for. */
export function describeTrials(
  cli: string,
  rows: readonly VersionTrial[],
): readonly TriedVersion[] {
  return rows.filter((row) => row.cli === cli).map(describe);
}

function describe({ version, day, outcomes }: VersionTrial): TriedVersion {
  const all = Object.entries(outcomes);
  const others = all.filter(([, { kind }]) => kind !== 'passed');
  return {
    version,
    day,
    held: all.length - others.length,
    cases: all.length,
    notHeld: Object.fromEntries(others.map(([name, { reason = '' }]) => [name, reason])),
  };
}
