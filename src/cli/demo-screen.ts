import type { Moment, TeamMember, TeamSight } from '../demo/moment.ts';
import { describeEvent } from './demo-words.ts';
import { neutralise, paint, type Style, writeOut } from './output.ts';

/**
 * The demo as a person watches it: what happens, line by line, and below it on a terminal the team as it is now, painted in
 * place. Without a terminal each change of a status is a line of its own.
 */
export class DemoScreen {
  readonly #isLive: boolean;
  #team: (TeamSight & { readonly atMs: number }) | undefined;
  /** Rows of the live part that stand there. */
  #shownRows = 0;

  constructor(isLive: boolean) {
    this.#isLive = isLive;
  }

  show(moment: Moment): void {
    if (moment.what === 'team') {
      const before = this.#team;
      this.#team = moment;
      if (this.#isLive) this.#paint([]);
      else for (const line of changes(before?.agents ?? [], moment)) writeOut(`${line}\n`);
      return;
    }
    const lines = describeEvent(moment, moment.atMs);
    if (this.#isLive) this.#paint(lines);
    else writeOut(lines.map((line) => `${line}\n`).join(''));
  }

  /** Takes the live part away: what follows stands below the story. */
  close(): void {
    this.#team = undefined;
    this.#paint([]);
  }

  /** One write, rows overwritten and never erased first: nothing flickers. */
  #paint(lines: readonly string[]): void {
    const live = this.#team ? ['', ...formatTeam(this.#team, this.#columns)] : [];
    const up = this.#shownRows > 0 ? `\u001b[${this.#shownRows}A` : '';
    const rows = [...lines, ...live].map((row) => `${row}\u001b[K\n`);
    if (this.#shownRows + rows.length > 0) writeOut(`${up}\r${rows.join('')}\u001b[J`);
    this.#shownRows = live.length;
  }

  /** A row as wide as the terminal would wrap, and then it could not be painted over. */
  get #columns(): number {
    return Math.max(40, (process.stdout.columns ?? 100) - 1);
  }
}

function formatTeam(
  { agents, accepted, received, repeats, atMs }: TeamSight & { readonly atMs: number },
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

function changes(
  before: readonly TeamMember[],
  { agents, atMs }: TeamSight & { readonly atMs: number },
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
