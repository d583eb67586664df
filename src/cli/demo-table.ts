import type { TeamMember, TeamSight } from '../demo/moment.ts';
import { nameOf } from './demo-words.ts';
import { inLine } from './output.ts';
import { paint, type Style } from './screen-codes.ts';

export type TimedSight = TeamSight & { readonly atMs: number };

/**
 * The team as it is now: what signalbox says of each, and what its program says. No row is wider
 * than `columns`.
 */
export function formatTeam(
  { agents, sent, received, repeats, atMs }: TimedSight,
  columns: number,
): readonly string[] {
  const heads = ['WHO', 'STATUS', 'OWES', 'ITS PROGRAM'];
  const rows = agents.map((agent, i) => [
    `${branch(agents, i)}${agent.name}`,
    describeStatus(agent),
    agent.owes.map(nameOf).join(', '),
    inLine(agent.does),
  ]);
  const widths = [12, 12, 10, 0].map((least, i) =>
    Math.max(least, ...rows.map((row) => row[i]?.length ?? 0)),
  );
  const line = (cells: readonly string[]): readonly string[] =>
    cells.map((cell, i) => cell.padEnd(widths[i] ?? 0));
  const cut = (cells: readonly string[]): string =>
    `  ${cells.join('  ')}`.slice(0, columns).trimEnd();
  const body = rows.map((row, i) => {
    const status = agents[i]?.status ?? '';
    const [name = '', ...rest] = line(row);
    // The colours are put in after the cut: they have no width.
    const text = cut([name, ...rest]);
    const [from, to] = [name.length + 4, name.length + 4 + describeStatus(agents[i]).length];
    return (
      text.slice(0, from) + paint(colours[status] ?? 'dim', text.slice(from, to)) + text.slice(to)
    );
  });
  const marked = repeats > 0 ? `, ${repeats} marked as a repeat` : '';
  const count = `  ${sent} messages sent, ${received} received${marked}`;
  const time = `${(atMs / 1000).toFixed(0)} s`;
  return [
    paint('dim', cut(line(heads))),
    ...body,
    paint('dim', `${count}, ${time}`.slice(0, columns)),
  ];
}

/** Children stand below whoever launched them. */
function branch(agents: readonly TeamMember[], i: number): string {
  if (!agents[i]?.isChild) return '';
  return agents.slice(i + 1).some(({ isChild }) => isChild) ? '├ ' : '└ ';
}

function describeStatus(agent: TeamMember | undefined): string {
  if (!agent) return '';
  const { status, detail } = agent;
  return detail ? `${status}: ${inLine(detail)}`.slice(0, 24) : status;
}

const colours: Readonly<Record<string, Style>> = {
  processing: 'blue',
  waiting: 'yellow',
  completed: 'green',
  idle: 'green',
  error: 'red',
  exited: 'red',
};
