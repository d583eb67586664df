import { hostname } from 'node:os';
import type { Check, Outcome } from '../life/check.ts';
import type { CliName } from '../versions.ts';
import { traits } from './traits.ts';

export interface Row {
  readonly cli: CliName;
  readonly version: string;
  readonly outcomes: ReadonlyMap<string, Outcome>;
  readonly totalMs: number;
}

interface Facts {
  readonly network: string;
  readonly missing: readonly string[];
  /** Cases that ran in a test build whose own spans are short; all others have the real ones. */
  readonly hasty: readonly string[];
  /** Where agents lived, if not in tmux. */
  readonly terminals?: string;
}

/** One row for each case, one column for each CLI: what holds, and under it what that means. */
export function writeTable(rows: readonly Row[], cases: readonly Check[], facts: Facts): string {
  const head = ['case', ...rows.map(({ cli, version }) => `${cli} ${version}`)];
  const ways = [
    '*idle / busy by*',
    ...rows.map(({ cli }) => {
      const { idle, busy } = traits[cli];
      return `${facts.terminals && idle === 'paste' ? 'none' : idle} / ${busy}`;
    }),
  ];
  const body = cases.map(({ name }) => [
    name,
    ...rows.map(({ outcomes }) => mark(outcomes.get(name))),
  ]);
  const total = ['*took*', ...rows.map(({ totalMs }) => `${Math.round(totalMs / 1000)} s`)];
  const day = new Date().toISOString().slice(0, 10);
  const options = facts.terminals ? ' -- --terminal herdr' : '';
  const where = facts.terminals ? `, terminals in ${facts.terminals}` : '';
  return [
    `Run on ${day} with \`npm run lab:delivery${options}\`, network ${facts.network}${where}. ✓ holds, ✗ does not.`,
    '',
    ...[head, head.map(() => '---'), ways, ...body, total].map((line) => `| ${line.join(' | ')} |`),
    '',
    ...cases.map(({ name, promise }) => `- **${name}**: ${promise}`),
    '',
    ...describeSpans(cases, facts.hasty),
    ...describe('Failed', rows, 'failed'),
    ...describe('Does not apply', rows, 'spared'),
    ...(facts.missing.length === 0 ? [] : ['', `Not installed: ${facts.missing.join(', ')}.`]),
    '',
  ]
    .join('\n')
    .replaceAll(hostname(), 'localhost');
}

function describeSpans(cases: readonly Check[], hasty: readonly string[]): readonly string[] {
  const names = cases.map(({ name }) => name);
  const short = names.filter((name) => hasty.includes(name));
  if (short.length === 0) return ['All of them ran in the published build, with the real spans.'];
  const real = names.filter((name) => !hasty.includes(name));
  return [
    `In a test build, whose own spans (proof awaited, a terminal quiet, a failing API left alone) are a fifth as long: ${short.join(', ')}.`,
    `In the published build, with the real spans: ${real.join(', ') || 'none'}.`,
  ];
}

function mark(outcome: Outcome | undefined): string {
  return outcome ? { passed: '✓', failed: '✗', spared: '–' }[outcome.kind] : '';
}

function describe(title: string, rows: readonly Row[], kind: Outcome['kind']): readonly string[] {
  const found = rows.flatMap(({ cli, outcomes }) =>
    [...outcomes].flatMap(([name, outcome]) =>
      outcome.kind === kind && outcome.kind !== 'passed'
        ? [`- ${cli}, ${name}: ${outcome.reason.split('\n', 1)}`]
        : [],
    ),
  );
  return found.length === 0 ? [] : ['', `## ${title}`, '', ...found];
}
