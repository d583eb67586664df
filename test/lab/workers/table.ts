import { hostname } from 'node:os';
import type { Outcome } from '../life/check.ts';
import type { Counted, Wanted } from './checks.ts';

export interface Row {
  readonly cli: string;
  readonly version: string;
  readonly counted: Counted;
  readonly outcomes: readonly Outcome[];
  /** Of the last 15 minutes, at the end. */
  readonly load: number;
}

interface Run extends Wanted {
  readonly day: string;
  readonly network: string;
  readonly cores: number;
}

export function writeTable(rows: readonly Row[], run: Run): string {
  const { day, network, handoffs, followUps, starved, cores } = run;
  const head = [
    ...['CLI', 'answered by the call', 'as a message later', 'run at the end', 'terminals'],
    ...[
      'dead letters',
      'offered again',
      'done twice',
      'Enter late',
      'ms for each',
      'came back',
      'ms to the second answer',
      'load',
    ],
  ];
  const body = rows.map(({ cli, version, counted, load }) => [
    `${cli} ${version}`,
    `${counted.answered} of ${handoffs}`,
    String(counted.later),
    ...[counted.running, counted.terminals, counted.dead, counted.repeated, counted.twice].map(
      String,
    ),
    showStarved(counted, starved),
    showSpread(counted.eachMs),
    `${counted.back} of ${followUps}`,
    showSpread(counted.backMs),
    load.toFixed(1),
  ]);
  const failed = rows.flatMap(({ cli, outcomes }) =>
    outcomes.flatMap((one) =>
      one.kind === 'passed' ? [] : [`- ${cli}: ${one.reason.split('\n', 1)}`],
    ),
  );
  return [
    `# Workers that end and come back, ${day}`,
    '',
    `A supervisor that is a real CLI calls \`handoff\` ${handoffs} times in a row, ten calls in a turn, each with a worker of its own of the same CLI; then it hands a second`,
    `task to ${followUps} of the ended workers. Launched through signalbox (daemon, tmux, MCP tools), against the mock model; network ${network}; ${cores} cores, with other`,
    'work beside it, so the times are no bench. An answer counts when the supervisor’s model was sent a random word that only that worker’s model was given, once. One came back when',
    'its second life has the conversation of the first, and its model was sent its first task with the second. At the end no worker runs or has a terminal, all have ended with their',
    'tasks, nobody owes anything and no message is left over. Offered again: tasks with a second copy, marked as a possible repeat. Done twice: tasks that went to a model in two turns. Enter late: tasks that were pasted into a worker that stood still (SIGSTOP) until nobody looked any more, and how many of these were done once. `-1`: it did not come to that. Made with `npm run lab:workers`. Milliseconds: median (longest).',
    '',
    ...[head, head.map(() => '---'), ...body].map((line) => `| ${line.join(' | ')} |`),
    ...(failed.length === 0 ? [] : ['', '## Failed', '', ...failed]),
    '',
  ]
    .join('\n')
    .replaceAll(hostname(), 'localhost');
}

function showStarved({ starved }: Counted, tasks: number): string {
  const { unverified, once, repeated } = starved;
  if (repeated < 0) return '–';
  return `${once} of ${tasks} once (${unverified} in doubt, ${repeated} offered again)`;
}

function showSpread(all: readonly number[]): string {
  const sorted = all.toSorted((a, b) => a - b);
  const middle = sorted[Math.floor(sorted.length / 2)];
  return middle === undefined ? '' : `${middle} (${sorted.at(-1)})`;
}
