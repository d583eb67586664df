import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { Agent } from '../../bench/terminals/station.ts';
import { Station } from '../../bench/terminals/station.ts';
import { isCliName } from '../lab/versions.ts';
import { playTurns, type Score } from './play-turns.ts';
import { soakRemoved } from './removed/main.ts';
import { report } from './report.ts';
import { soakTasks } from './tasks/main.ts';

const usage = `Usage: npm run soak [-- --agents 20] [--turns 1000] [--markdown FILE]

Scripted agents in a real tmux play turns under a real daemon, which is stopped once and killed with -9 once on the way. What
the daemon holds at the end (open files, memory after a forced collection, timers) must be within 5 % of what it held after
the first tenth of the turns, and of the turns' ends at most one in a thousand may go unseen.

       npm run soak -- tasks [--tasks 200] [--clis claude-code,codex,opencode] [--minutes 40]
                           [--kill-workers] [--markdown FILE]

Real CLIs give each other tasks while the daemon is restarted every 20 s, by turns as asked and with kill -9. Each answer must
reach its giver once, or again with a mark; whoever gets none must be told. With --kill-workers a worker is killed and restarted
every 70 s as well. It needs \`npm run lab:install\`.

       npm run soak -- removed [--agents 3000] [--dist FOLDER] [--markdown FILE]

Agents are launched in a real tmux under a real daemon, get a message each, and are removed. The daemon's heap after a forced
collection must grow by no more than 50 bytes for each of them. With --dist another build is measured.
`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    tasks: { type: 'string', default: '200' },
    clis: { type: 'string', default: 'claude-code,codex,opencode' },
    minutes: { type: 'string', default: '40' },
    agents: { type: 'string' },
    dist: { type: 'string' },
    turns: { type: 'string', default: '1000' },
    'kill-workers': { type: 'boolean', default: false },
    markdown: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  process.stdout.write(usage);
} else if (positionals[0] === 'tasks') {
  const clis = values.clis.split(',').filter(isCliName);
  const limitMs = Number(values.minutes) * 60_000;
  const soaked = {
    tasks: Number(values.tasks),
    clis,
    limitMs,
    killsWorkers: values['kill-workers'],
  };
  process.exitCode = await soakTasks(soaked, keep);
} else if (positionals[0] === 'removed') {
  const { agents = '3000', dist } = values;
  const wish = { agents: Number(agents), dist: dist === undefined ? undefined : resolve(dist) };
  process.exitCode = await soakRemoved(wish, keep);
} else {
  process.exitCode = await soak(
    Number(values.agents ?? '20'),
    Number(values.turns),
    values.markdown,
  );
}

function keep(text: string): void {
  if (values.markdown !== undefined) writeFileSync(values.markdown, `${text}\n`);
}

async function soak(agents: number, turns: number, markdown?: string): Promise<number> {
  const station = new Station(mkdtempSync(join(tmpdir(), 'signalbox-soak-')));
  const over = () => void station.close().finally(() => process.exit(130));
  process.once('SIGINT', over);
  process.once('SIGTERM', over);
  const startedAt = performance.now();
  try {
    await station.start();
    const crew: Agent[] = [];
    for (let i = 0; i < agents; i++) crew.push(await station.launch(`agent-${i}`));
    const tenth = Math.round(turns / 10);
    const score: Score = { played: 0, seen: 0, lost: [] };
    const play = (count: number) => playTurns(station, crew, count, score);
    say(`${agents} agents run; the first ${tenth} turns each`);
    await play(tenth);
    const first = await station.holdings();
    await play(Math.round(turns * 0.4) - tenth);
    const beforeStop = await station.holdings();
    say('the daemon is stopped and started');
    await station.stopDaemon('SIGTERM');
    await station.start();
    await play(Math.round(turns * 0.3));
    say('the daemon is killed with -9 and started');
    await station.stopDaemon('SIGKILL');
    await station.start();
    await play(turns - Math.round(turns * 0.4) - Math.round(turns * 0.3));
    const last = await station.holdings();
    const seconds = Math.round((performance.now() - startedAt) / 1000);
    const lines = report({ agents, turns, score, first, beforeStop, last, seconds });
    process.stdout.write(`${lines.text}\n`);
    if (markdown !== undefined) writeFileSync(markdown, `${lines.text}\n`);
    return lines.isGood ? 0 : 1;
  } finally {
    await station.close();
  }
}

function say(text: string): void {
  process.stderr.write(`${text}\n`);
}
