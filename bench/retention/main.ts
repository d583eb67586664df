import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { buildIfStale } from '../build.ts';
import { quantile } from '../measure.ts';
import { ask } from '../port/stage.ts';
import { formatCount } from '../report.ts';
import type { Part, Row, Surroundings } from '../suite.ts';
import { countPast, leavePast, longEvery, measureBytes, readPrunedAt } from './past.ts';

const run = promisify(execFile);

/** What retention takes and gives back, and whether whoever is delivered to notices. */
export async function* benchRetention(around: Surroundings): AsyncGenerator<Part> {
  buildIfStale();
  const [count, rounds] = around.quick ? [5000, 2] : [100_000, 1];
  for (let round = 1; round <= rounds; round++) {
    around.signal.throwIfAborted();
    yield await benchRound(around, count, round);
  }
}

async function benchRound(around: Surroundings, count: number, round: number): Promise<Part> {
  const { folder, say, signal } = around;
  say(`retention, round ${round}: two ledgers of ${formatCount(count)} settled messages`);
  const [busy, quiet] = [await prepare(folder, count, true), await prepare(folder, count, false)];
  const before = measureBytes(busy);
  const daemons = [await start(quiet), await start(busy)] as const;
  try {
    const [still, pruning] = daemons;
    while (readPrunedAt(busy) === 0) await delay(20, undefined, { signal });
    const startedAt = performance.now();
    say('pruning');
    const during = await deliver(pruning, still, () => !isDone(busy), signal);
    const seconds = (performance.now() - startedAt) / 1000;
    const bytes = measureBytes(busy);
    let rest = around.quick ? 50 : 300;
    const after = await deliver(pruning, still, () => rest-- > 0, signal);
    await Promise.all(daemons.map((daemon) => daemon.end()));
    const left = countPast(busy, count);
    const raw = { during, after, seconds, before, bytes, left };
    return { title: `Round ${round}`, how, raw, rows: toRows(round, count, raw) };
  } catch (error) {
    await Promise.allSettled(daemons.map((daemon) => daemon.end()));
    throw error;
  }
}

const how = `Two real daemons, each with a ledger that holds the past of as many settled messages (four history rows, a \
claim and an attempt each; a quarter of them sent without proof; every ${longEvery}th with a body of 60 KB, the others 500 bytes). \
In one all of it is past the retention, in the other nothing. From the first batch to the end of the round one message after another is sent \
and taken (\`POST /messages\`, then \`POST /agents/worker/inbox/check\`: accepted, claimed, handed out, acked, by the daemon) in turn at both, \
20 ms apart; then 300 times more after the end. The time to prune includes giving pages back and emptying the log.`;

interface Raw {
  readonly during: Times;
  readonly after: Times;
  readonly seconds: number;
  readonly before: number;
  readonly bytes: number;
  readonly left: number;
}

interface Times {
  readonly pruning: readonly number[];
  readonly still: readonly number[];
}

function toRows(round: number, count: number, raw: Raw): readonly Row[] {
  const { during, after, seconds, before, bytes, left } = raw;
  const times = (what: string, { pruning, still }: Times): Row[] =>
    [0.5, 0.99].map((part) => ({
      what: `${round}: send and take ${what}, p${part * 100}`,
      measured: { value: quantile(pruning, part), unit: 'ms' },
      against: {
        what: 'daemon with nothing to prune',
        quantity: { value: quantile(still, part), unit: 'ms' },
      },
    }));
  const number = (value: number) => ({ value, unit: '' }) as const;
  const mb = (value: number) => ({ value: value / 1e6, unit: 'MB' }) as const;
  return [
    {
      what: `${round}: messages of the past, after`,
      measured: number(left),
      against: { what: 'before', quantity: number(count) },
    },
    {
      what: `${round}: ledger's file, after`,
      measured: mb(bytes),
      against: { what: 'before', quantity: mb(before) },
    },
    { what: `${round}: time to prune`, measured: { value: seconds, unit: 's' } },
    ...times('while it prunes', during),
    ...times('afterwards', after),
    { what: `${round}: messages meanwhile`, measured: number(during.pruning.length) },
  ];
}

interface Daemon {
  readonly socket: string;
  end(): Promise<void>;
}

async function prepare(folder: string, count: number, isOverdue: boolean): Promise<string> {
  const home = mkdtempSync(join(folder, 'r-'));
  await leavePast(home, count, isOverdue);
  return home;
}

async function start(home: string): Promise<Daemon> {
  const env = { ...process.env, SIGNALBOX_HOME: home };
  const program = resolve('dist', 'signalbox.cjs');
  await run(process.execPath, [program, 'up'], { env });
  const info = JSON.parse(readFileSync(join(home, 'daemon.json'), 'utf8')) as {
    readonly socket: string;
    readonly pid: number;
  };
  const end = async (): Promise<void> => {
    await run(process.execPath, [program, 'down'], { env }).catch(() => {
      process.kill(info.pid, 'SIGKILL');
    });
    // `down` leaves the server of the terminals; one that is gone already is fine.
    await run('tmux', ['-S', join(home, 'tmux.sock'), 'kill-server']).catch(() => undefined);
  };
  return { socket: info.socket, end };
}

function isDone(home: string): boolean {
  const log = readFileSync(join(home, 'logs', 'daemon.log'), 'utf8');
  return log.includes('what was past the retention is gone');
}

async function deliver(
  pruning: Daemon,
  still: Daemon,
  goesOn: () => boolean,
  signal: AbortSignal,
): Promise<Times> {
  const times = { pruning: [] as number[], still: [] as number[] };
  for (let i = 0; goesOn(); i++) {
    for (const name of i % 2 === 0 ? names : names.toReversed()) {
      times[name].push(await timeOne(name === 'pruning' ? pruning : still));
      await delay(20, undefined, { signal });
    }
  }
  return times;
}

const names = ['pruning', 'still'] as const;

/** A machine that is shared stands still now and then; that is a number too. */
const limitMs = 30_000;

async function timeOne({ socket }: Daemon): Promise<number> {
  const sent = await ask(socket, '/messages', { to: 'worker', body: 'x'.repeat(500) }, limitMs);
  const taken = await ask(socket, '/agents/worker/inbox/check', {}, limitMs);
  if (!taken.text.includes('msg_')) throw new Error('a message was not handed out');
  return sent.ms + taken.ms;
}
