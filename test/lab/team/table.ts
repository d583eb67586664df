import { hostname } from 'node:os';
import type { Outcome } from '../life/check.ts';
import { teamCases } from './list.ts';
import { mixedPromise } from './mixed.ts';
import type { Row, TeamResults } from './results.ts';

/**
 * One row for each case, one column for each CLI: what holds, with how long an answer took; under
 * it what was seen else.
 */
export function writeGrid({ day, network, rows }: TeamResults, missing: readonly string[]): string {
  const grid = rows.filter(({ workers }) => workers === undefined);
  const teams = rows.filter(({ workers }) => workers !== undefined);
  const head = [
    'case',
    ...grid.map(({ label, version }) => label.replace(/^[^,]*/, `$& ${version}`)),
  ];
  const tried = teamCases.filter(({ name }) => grid.some(({ outcomes }) => name in outcomes));
  const body = tried.map(({ name }) => [name, ...grid.map(({ outcomes }) => mark(outcomes[name]))]);
  const passed = ['*passed*', ...grid.map((row) => `${count(row)} of ${tried.length}`)];
  const took = ['*took*', ...grid.map(({ totalMs }) => `${Math.round(totalMs / 1000)} s`)];
  return [
    `# The grid of teams, ${day}`,
    '',
    'Supervisor and workers are the same real CLI, launched through signalbox (daemon, tmux, MCP tools), against the mock model;',
    `network ${network}. A case holds (✓) when the supervisor's model was sent a random word that only the worker's model was`,
    'given in that run (for the two `send` cases: the receiver’s model, one that only the sender’s was given); nothing',
    'arrived twice, no answer was still owed, no message was left over and nobody was asked anything. Beside it: milliseconds from',
    'the end of what it waited for (the worker’s last byte, or the running answer of a busy one) to that request. ✗ failed,',
    '– cannot, and what was seen is below. Other runs may have kept the machine busy: the times are no bench.',
    '',
    ...(grid.length === 0 ? [] : table([head, ...body, passed, took])),
    '',
    ...tried.map(({ name, promise }) => `- **${name}**: ${promise}`),
    ...(teams.length === 0
      ? []
      : ['', '## Mixed teams', '', mixedPromise, '', ...teams.flatMap(describeTeam)]),
    ...describe('Failed', rows, 'failed'),
    ...describe('Cannot', rows, 'spared'),
    ...(missing.length === 0 ? [] : ['', `Not installed: ${missing.join(', ')}.`]),
    '',
  ]
    .join('\n')
    .replaceAll(hostname(), 'localhost');
}

function table([head = [], ...body]: readonly (readonly string[])[]): readonly string[] {
  return [head, head.map(() => '---'), ...body].map((line) => `| ${line.join(' | ')} |`);
}

function mark(outcome: Outcome | undefined): string {
  if (outcome?.kind !== 'passed') return outcome ? { failed: '✗', spared: '–' }[outcome.kind] : '';
  const { answer } = outcome.measured;
  return answer === undefined ? '✓' : `✓ ${answer}`;
}

function count({ outcomes }: Row): number {
  return Object.values(outcomes).filter(({ kind }) => kind === 'passed').length;
}

function describeTeam({ label, outcomes, totalMs }: Row): readonly string[] {
  return Object.entries(outcomes).map(([, outcome]) => {
    const measured = outcome.kind === 'passed' ? Object.entries(outcome.measured) : [];
    const times = measured.map(([name, ms]) => `${name} ${ms} ms`).join(', ');
    return `- ${mark(outcome).slice(0, 1)} **${label}**: ${times || 'see below'} (${Math.round(totalMs / 1000)} s)`;
  });
}

function describe(title: string, rows: readonly Row[], kind: Outcome['kind']): readonly string[] {
  const found = rows.flatMap(({ label, outcomes }) =>
    Object.entries(outcomes).flatMap(([name, outcome]) =>
      outcome.kind === kind && outcome.kind !== 'passed'
        ? [`- ${label}, ${name}: ${outcome.reason.split('\n', 1)}`]
        : [],
    ),
  );
  return found.length === 0 ? [] : ['', `## ${title}`, '', ...found];
}
