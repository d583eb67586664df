import type { TeamMember, TeamSight } from '../demo/moment.ts';
import { neutralise, paint, type Style } from './output.ts';

export type TimedSight = TeamSight & { readonly atMs: number };

/** The team as it is now: what signalbox says of each, and what its program says. No row is wider than `columns`. */
export function formatTeam(
  { agents, accepted, received, repeats, atMs }: TimedSight,
  columns: number,
): readonly string[] {
  const heads = ['NAME', 'STATUS', 'INBOX', 'LIFE', 'ITS PROGRAM SAYS'];
  const rows = agents.map((agent) => [
    agent.name,
    describeStatus(agent),
    describeInbox(agent),
    String(agent.epoch),
    neutralise(agent.does),
  ]);
  const widths = [9, 20, 19, 4].map((least, i) =>
    Math.max(least, ...rows.map((row) => row[i]?.length ?? 0)),
  );
  const line = (cells: readonly string[]): readonly string[] =>
    cells.map((cell, i) => cell.padEnd(widths[i] ?? 0));
  const cut = (cells: readonly string[]): string => `  ${cells.join('  ')}`.slice(0, columns);
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
  const count = `  ${accepted} messages accepted, ${received} received, ${repeats} of the copies marked as repeats`;
  const time = `${(atMs / 1000).toFixed(0)} s`.padStart(
    Math.max(2, Math.min(100, columns) - count.length),
  );
  return [
    paint('dim', cut(line(heads))),
    ...body,
    '',
    paint('dim', `${count}${time}`.slice(0, columns)),
  ];
}

/** Each status that is another than before, as a line of its own. */
export function formatChanges(
  before: readonly TeamMember[],
  { agents, atMs }: TimedSight,
): readonly string[] {
  return agents
    .filter(({ name, status }) => before.find((one) => one.name === name)?.status !== status)
    .map((agent) => {
      const time = paint('dim', `${(atMs / 1000).toFixed(1)}s`.padStart(6));
      const status = paint(colours[agent.status] ?? 'dim', describeStatus(agent));
      return `  ${time}  ${agent.name.padEnd(10)}${status}`;
    });
}

function describeStatus(agent: TeamMember | undefined): string {
  if (!agent) return '';
  const { status, detail } = agent;
  return detail ? `${status}: ${neutralise(detail)}`.slice(0, 24) : status;
}

/** In hand: taken by a drain, and not answered for yet. */
function describeInbox({ inbox }: TeamMember): string {
  const { queued, claimed, injected, uncertain, dead } = inbox;
  const counts = [
    [queued, 'queued'],
    [claimed + injected, 'in hand'],
    [uncertain, 'uncertain'],
    [dead, 'dead'],
  ] as const;
  const parts = counts.filter(([n]) => n > 0).map(([n, word]) => `${n} ${word}`);
  return parts.join(', ') || 'empty';
}

const colours: Readonly<Record<string, Style>> = {
  processing: 'blue',
  waiting: 'yellow',
  completed: 'green',
  idle: 'green',
  error: 'red',
  exited: 'red',
};
