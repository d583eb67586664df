import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** What the lab has seen of one version of a CLI, case by case. */
export interface VersionTrial {
  readonly cli: string;
  readonly version: string;
  /** When: a day, as in 2026-11-18. */
  readonly day: string;
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
