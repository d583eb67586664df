import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { ordinaryCallMs } from '../../../src/providers/capabilities.ts';
import type { Provider } from '../../../src/providers/provider.ts';
import { openProviderShelf } from '../../../src/providers/registry.ts';
import { cliNames } from '../versions.ts';
import type { Row, TeamResults } from './results.ts';
import { writeGrid } from './table.ts';

/**
 * Writes docs/capabilities.md from what the lab has seen (docs/results/team.json) and what each
 * provider says of itself, and the grid as the lab itself prints it (docs/results/grid-<day>.md):
 *
 *     npm run lab:capabilities
 */
export async function writeCapabilities(results: TeamResults): Promise<string> {
  const shelf = openProviderShelf({ state: '', config: '' });
  const rows = results.rows.filter(({ workers }) => workers === undefined);
  const providers = new Map<string, Provider>();
  for (const name of cliNames) providers.set(name, await shelf.find(name));
  const lines = rows.flatMap((row) => {
    const provider = providers.get(row.cli);
    return provider ? [describe(row, provider)] : [];
  });
  const head = columns.map(([title]) => title);
  const days = [...new Set(rows.map(({ day }) => day))].sort().join(', ');
  return [
    '# What each CLI can do in a team',
    '',
    `Made by \`npm run lab:capabilities\` from the lab's results of ${days} ([the grid](results/grid-${results.day}.md)): real CLIs, the`,
    'mock model; every message had a word of its own, which was looked for in the requests that the model got. `signalbox doctor --all` prints',
    'the same for what is installed here, and warns about versions that were not tested. **ways in**, **your words by**, **proof** and **handoff waits** are the',
    'data of this version of signalbox; that your words arrive as your prompt, to the letter, was tried later, in [a run of its own](results/lab-standing-2026-11-19.md). ✓ was seen, with milliseconds from the end of what it waited for to the model request that',
    'brought it, on a machine that other runs may have kept busy; ✗ failed; – it cannot, and what was seen stands below. Nothing that',
    'was not tried is marked.',
    '',
    ...table([head, ...lines]),
    '',
    '- **ways in**: how messages reach it, best first; **your words by**: the ways by which the model reads what you write as your own prompt; **proof**: what shows that the model has read one.',
    '- **tools unasked**: it calls signalbox’s tools without asking a person about each of them.',
    '- **handoff waits**: so long in one call; then the answer comes as a message.',
    '- **resume**: a restart goes on with the same conversation.',
    '- A worktree of its own (`--worktree`, `worktree: true`) is git’s and signalbox’s matter: every CLI can have one.',
    '- “approved by hand”: the lab answered its questions as a person would, “for this session”. Such a row is no proof that',
    '  it can work alone.',
    ...describeNotPassed(rows),
    '',
  ].join('\n');
}

type Column = readonly [title: string, cell: (row: Row, provider: Provider) => string];

const columns: readonly Column[] = [
  ['CLI', ({ label }) => label],
  ['version', ({ version }) => version],
  ['ways in', (_, { capabilities }) => capabilities.routes.join(', ')],
  ['your words by', (_, { capabilities }) => capabilities.prompts.join(', ')],
  ['proof', (_, { capabilities }) => capabilities.evidence],
  ['tools unasked', (row) => (asks(row) ? '–' : row.isApproved ? 'after a dialog' : '✓')],
  [
    'handoff waits',
    (_, { capabilities }) => `${(capabilities.toolCallMs ?? ordinaryCallMs) / 1000} s`,
  ],
  ['handoff', (row) => mark(row, ['handoff-simple', 'handoff-second'])],
  ['assign', (row) => mark(row, ['assign-analyst', 'assign-report', 'assign-callback'])],
  ['send, idle', (row) => mark(row, ['send-idle'])],
  ['send, busy', (row) => mark(row, ['send-busy'])],
  ['supervise', (row) => mark(row, ['supervise-handoff', 'supervise-assign-handoff'])],
  ['resume', (_, { capabilities }) => (capabilities.resume ? '✓' : '–')],
];

function describe(row: Row, provider: Provider): readonly string[] {
  return columns.map(([, cell]) => cell(row, provider));
}

/** It asked a person about a tool of ours. */
export function asks({ outcomes }: Row): boolean {
  return Object.values(outcomes).some(
    (outcome) => outcome.kind === 'spared' && outcome.code === 'asks-person',
  );
}

/** All of them passed, or how many; the times beside it in the order of the names. */
function mark({ outcomes }: Row, names: readonly string[]): string {
  const tried = names.flatMap((name) => outcomes[name] ?? []);
  const passed = tried.flatMap((one) => (one.kind === 'passed' ? [one] : []));
  if (tried.length === 0) return '';
  if (passed.length === 0) return tried.some(({ kind }) => kind === 'failed') ? '✗' : '–';
  const times = passed.flatMap(({ measured }) => measured['answer'] ?? []).join(', ');
  const sign = passed.length === names.length ? '✓' : `${passed.length} of ${names.length}`;
  return `${sign} ${times}`;
}

function describeNotPassed(rows: readonly Row[]): readonly string[] {
  const found = rows.flatMap(({ label, outcomes }) =>
    Object.entries(outcomes).flatMap(([name, outcome]) =>
      outcome.kind === 'passed'
        ? []
        : [`- ${label}, ${name}: ${outcome.reason.split('\n', 1)[0] ?? ''}`],
    ),
  );
  return found.length === 0 ? [] : ['', '## Not passed', '', ...found];
}

/** As the formatter would have it: cells of a column are equally wide. */
export function table(lines: readonly (readonly string[])[]): readonly string[] {
  const widths = (lines[0] ?? []).map((_, at) =>
    Math.max(3, ...lines.map((line) => line[at]?.length ?? 0)),
  );
  const write = (cells: readonly string[]): string =>
    `| ${cells.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |`;
  const [head = [], ...body] = lines;
  return [write(head), write(widths.map((width) => '-'.repeat(width))), ...body.map(write)];
}

export const resultsFile = fileURLToPath(
  new URL('../../../docs/results/team.json', import.meta.url),
);
export const capabilitiesFile = fileURLToPath(
  new URL('../../../docs/capabilities.md', import.meta.url),
);

export function gridFile({ day }: TeamResults): string {
  return fileURLToPath(new URL(`../../../docs/results/grid-${day}.md`, import.meta.url));
}

export function readResults(): TeamResults {
  return JSON.parse(readFileSync(resultsFile, 'utf8')) as TeamResults;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const results = readResults();
  writeFileSync(capabilitiesFile, await writeCapabilities(results));
  writeFileSync(gridFile(results), writeGrid(results, []));
}
