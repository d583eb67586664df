import { hostname } from 'node:os';
import type { Check, Outcome } from './check.ts';
import type { Taken } from './take.ts';

/** The table, and under it what each column promises and what failed. */
export function report(
  taken: readonly Taken[],
  checks: readonly Check[],
  facts: { readonly day: string; readonly network: string; readonly missing: readonly string[] },
): string {
  const names = checks.map(({ name }) => name);
  const head = ['CLI', 'version', ...names, 'start → idle', 'end → completed', 'total'];
  const rows = taken.map(({ cli, version, outcomes, totalMs }) => [
    cli,
    version,
    ...names.map((name) => mark(outcomes.get(name))),
    milliseconds(measured(outcomes, 'idle')),
    milliseconds(measured(outcomes, 'word')),
    `${Math.round(totalMs / 1000)} s`,
  ]);
  return [
    `# The lab, ${facts.day}`,
    '',
    'Real CLIs at pinned versions, launched through signalbox (its daemon, its tmux server), one at a time, against the mock',
    `model; network ${facts.network}. ✓ holds, ✗ does not, – does not apply. *start → idle* is from the launch command to the`,
    'first word that it is idle; *end → completed* from the model’s last byte to the published word.',
    '',
    ...table([head, ...rows]),
    '',
    ...checks.map(({ name, promise }) => `- **${name}**: ${promise}`),
    ...section('Failed', taken, 'failed'),
    ...section('Does not apply', taken, 'spared'),
    ...(facts.missing.length === 0 ? [] : ['', `Not installed: ${facts.missing.join(', ')}.`]),
    '',
  ]
    .join('\n')
    .replaceAll(hostname(), 'localhost');
}

function mark(outcome: Outcome | undefined): string {
  if (!outcome) return '';
  return { passed: '✓', failed: '✗', spared: '–' }[outcome.kind];
}

function measured(outcomes: Taken['outcomes'], name: string): number | undefined {
  for (const outcome of outcomes.values()) {
    const found = outcome.kind === 'passed' ? outcome.measured[name] : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

function milliseconds(ms: number | undefined): string {
  return ms === undefined ? '' : `${Math.round(ms)} ms`;
}

function table(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => (row[column] ?? '').length)),
  );
  const lines = rows.map(
    (row) => `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`,
  );
  const rule = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`;
  return [lines[0] ?? '', rule, ...lines.slice(1)];
}

function section(title: string, taken: readonly Taken[], kind: Outcome['kind']): readonly string[] {
  const found = taken.flatMap(({ cli, outcomes }) =>
    [...outcomes].flatMap(([name, outcome]) =>
      outcome.kind === kind && outcome.kind !== 'passed'
        ? [`- ${cli}, ${name}: ${outcome.reason.split('\n', 1)}`]
        : [],
    ),
  );
  return found.length === 0 ? [] : ['', `## ${title}`, '', ...found];
}
