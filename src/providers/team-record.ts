import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * What the lab has seen one CLI do in a team, in one version: supervisor and workers were all of
 * it.
 */
export interface TeamRecord {
  /** When: a day, as in 2026-11-15. */
  readonly day: string;
  readonly version: string;
  readonly passed: number;
  readonly tried: number;
  /** It called our tools without asking a person. */
  readonly toolsWithoutDialog: boolean;
  /**
   * From the end of a worker's answer to its supervisor's next model request, the median of what
   * passed; milliseconds.
   */
  readonly medianMs?: number;
  /** Cases that did not pass, each with what was seen. */
  readonly notPassed: Readonly<Record<string, string>>;
}

/** By provider. The file comes from the lab (docs/results/team.json) and ships with the program. */
export function loadTeamRecords(): Readonly<Record<string, TeamRecord>> {
  const path = ['./capabilities.json', '../../docs/results/team.json']
    .map((relative) => fileURLToPath(new URL(relative, import.meta.url)))
    .find((candidate) => existsSync(candidate));
  if (path === undefined) return {};
  return readTeamRecords(JSON.parse(readFileSync(path, 'utf8')) as LabResults);
}

/** The part of the lab's results that is read here. */
interface LabResults {
  readonly day: string;
  readonly rows: readonly {
    readonly label: string;
    readonly cli: string;
    readonly version: string;
    readonly day?: string;
    readonly outcomes: Readonly<Record<string, LabOutcome>>;
  }[];
}

interface LabOutcome {
  readonly kind: 'passed' | 'failed' | 'spared';
  readonly reason?: string;
  /** Why it cannot, where a program has to know. */
  readonly code?: string;
  readonly measured?: Readonly<Record<string, number>>;
}

export function readTeamRecords({ day, rows }: LabResults): Readonly<Record<string, TeamRecord>> {
  // Other rows are of mixed teams, or of a CLI whose questions the lab answered as a person would.
  const own = rows.filter(({ label, cli }) => label === cli);
  return Object.fromEntries(own.map((row) => [row.cli, readRow(day, row)]));
}

function readRow(day: string, row: LabResults['rows'][number]): TeamRecord {
  const outcomes = Object.entries(row.outcomes);
  const passed = outcomes.filter(([, { kind }]) => kind === 'passed');
  const times = passed.flatMap(([, { measured }]) => Object.values(measured ?? {})).sort(byNumber);
  const medianMs = times[Math.floor(times.length / 2)];
  const others = outcomes.filter(([, { kind }]) => kind !== 'passed');
  return {
    day: row.day ?? day,
    version: row.version,
    passed: passed.length,
    tried: outcomes.length,
    toolsWithoutDialog: !others.some(([, { code }]) => code === 'asks-person'),
    ...(medianMs === undefined ? {} : { medianMs }),
    notPassed: Object.fromEntries(
      others.map(([name, { reason = '' }]) => [name, reason.split('\n', 1)[0] ?? '']),
    ),
  };
}

function byNumber(a: number, b: number): number {
  return a - b;
}
