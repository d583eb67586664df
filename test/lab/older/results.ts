import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { VersionTrial, VersionTrials } from '../../../src/providers/version-trials.ts';
import { cliNames } from '../versions.ts';
import { olderCases } from './cases.ts';

/** What came of one version, as the lab writes it down and `doctor` reads it. */
export interface TriedRow extends VersionTrial {
  readonly isNetworkClosed: boolean;
}

/** Lays rows over those of earlier runs: of each version the latest counts. */
export function keep(path: string, rows: readonly TriedRow[]): readonly VersionTrial[] {
  const earlier: VersionTrials = existsSync(path)
    ? (JSON.parse(readFileSync(path, 'utf8')) as VersionTrials)
    : { rows: [] };
  const isNew = (one: VersionTrial): boolean =>
    !rows.some(({ cli, version }) => cli === one.cli && version === one.version);
  const fresh = rows.map(({ isNetworkClosed: _, ...row }) => row);
  const all = [...earlier.rows.filter(isNew), ...fresh].toSorted(inOrder);
  writeFileSync(path, `${JSON.stringify({ rows: all }, undefined, 2)}\n`);
  return all;
}

function inOrder(a: VersionTrial, b: VersionTrial): number {
  const place = ({ cli }: VersionTrial): number => (cliNames as readonly string[]).indexOf(cli);
  return place(a) - place(b) || a.version.localeCompare(b.version, 'en', { numeric: true });
}

/** One row for each version, one column for each case. */
export function writeVersions(rows: readonly VersionTrial[], day: string): string {
  const names = olderCases.map(({ name }) => name);
  const head = ['CLI', 'version', 'tried on', 'built from', 'load', ...names];
  const signs = { passed: '✓', failed: '✗', spared: '–' } as const;
  const cells = ({ cli, version, day: on, commit, load, outcomes }: VersionTrial): string => {
    const marks = names.map((name) => {
      const outcome = outcomes[name];
      return outcome ? signs[outcome.kind] : '';
    });
    return `| ${[cli, version, on, commit ?? '', load ?? '', ...marks].join(' | ')} |`;
  };
  const notes = rows.flatMap(({ cli, version, outcomes }) =>
    describeOthers(outcomes).map((note) => `- ${cli} ${version}: ${note}`),
  );
  return [
    `# Older versions of the CLIs, ${day}`,
    '',
    'Written by `npm run lab:versions`: real CLIs, each version installed by itself and removed afterwards, against a mock model on',
    'loopback. ✓ holds, ✗ does not, – cannot be asked for. `doctor --all` shows the row of the version that is installed. The pinned',
    'versions have tables of their own: [delivery](../delivery.md). n = 1 for each. “built from” is the commit of main, “load” the',
    'average of the five minutes before the end of that row, on two cores, with other runs beside it.',
    '',
    `| ${head.join(' | ')} |`,
    `| ${head.map(() => '---').join(' | ')} |`,
    ...rows.map(cells),
    '',
    ...olderCases.map(({ name, promise }) => `- **${name}**: ${promise}`),
    ...(notes.length === 0 ? [] : ['', '## What did not hold', '', ...notes]),
    '',
  ].join('\n');
}

/** Cases with the same reason share a line. */
function describeOthers(outcomes: VersionTrial['outcomes']): readonly string[] {
  const byReason = new Map<string, string[]>();
  for (const [name, { kind, reason = '' }] of Object.entries(outcomes)) {
    if (kind === 'passed') continue;
    byReason.set(reason, [...(byReason.get(reason) ?? []), name]);
  }
  return [...byReason].map(([reason, names]) => `${names.join(', ')}: ${reason}`);
}
