import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { median } from '../measure.ts';
import type { Part, Surroundings } from '../suite.ts';
import { openBenchLedger } from './open.ts';
import type { WriterReport } from './writer-process.ts';

const program = fileURLToPath(new URL('./writer-process.ts', import.meta.url));

type Way = 'ours' | 'busy-handler';

interface Round {
  readonly way: Way;
  readonly writers: readonly WriterReport[];
}

/**
 * Many processes send at once: our waiting (store/sqlite/connection.ts) against SQLite's own busy
 * handler.
 */
export async function benchWriters({ folder, quick, signal, say }: Surroundings): Promise<Part> {
  const count = 8;
  const [rounds, spanMs] = quick ? [1, 2000] : [3, 10_000];
  const done: Round[] = [];
  for (let round = 0; round < rounds; round++) {
    for (const way of ['ours', 'busy-handler'] as const) {
      say(`writers: ${count} processes for ${spanMs / 1000} s, ${way}, round ${round + 1}`);
      const path = join(folder, `writers-${round}-${way}`, 'ledger.db');
      done.push({ way, writers: await runWriters(path, way, { count, spanMs, signal }) });
    }
  }
  const of = (way: Way): readonly Round[] => done.filter((round) => round.way === way);
  const ours = of('ours');
  const theirs = of('busy-handler');
  const leastFair = ours.reduce((a, b) => (share(b) < share(a) ? b : a));
  return {
    title: 'Writers',
    how: `${count} processes send single messages as fast as they can for ${spanMs / 1000} s, started together; \
${rounds} rounds our way and, in turn, with SQLite's busy handler (\`busy_timeout\`), each in a new ledger. A wait is \
the time of one send, from the call to the commit. Failures, the slowest writer's share and our longest wait are the \
worst of our rounds; the busy handler's longest wait is the median of its rounds.`,
    rows: [
      {
        what: `sends that failed, ${count} processes for ${spanMs / 1000} s`,
        measured: { value: Math.max(...ours.map(countFailures)), unit: '' },
        bar: { atMost: 0 },
      },
      {
        what: 'sends of the slowest process',
        measured: { value: slowest(leastFair) / (spanMs / 1000), unit: '/s' },
        against: {
          what: 'mean of all',
          quantity: { value: rate(leastFair, spanMs) / count, unit: '/s' },
        },
        bar: { atLeast: 0.5 },
      },
      {
        what: 'longest wait of any send',
        measured: { value: Math.max(...ours.map(longestWait)), unit: 'ms' },
        against: {
          what: 'busy handler',
          quantity: { value: median(theirs.map(longestWait)), unit: 'ms' },
        },
        bar: { atMost: 0.1 },
      },
      {
        what: `sends of all ${count} together`,
        measured: { value: median(ours.map((round) => rate(round, spanMs))), unit: '/s' },
        against: {
          what: 'busy handler',
          quantity: { value: median(theirs.map((round) => rate(round, spanMs))), unit: '/s' },
        },
      },
    ],
    raw: { rounds: done },
  };
}

async function runWriters(
  path: string,
  way: Way,
  { count, spanMs, signal }: { count: number; spanMs: number; signal: AbortSignal },
): Promise<readonly WriterReport[]> {
  // The ledger and its recipient are there before the first writer is.
  await (await openBenchLedger(path)).ledger.close();
  const children: ChildProcess[] = [];
  try {
    for (let i = 0; i < count; i++) {
      children.push(fork(program, [path, way, String(spanMs)], { signal }));
    }
    await Promise.all(children.map(nextMessage));
    const reports = children.map((child) => nextMessage(child) as Promise<WriterReport>);
    for (const child of children) child.send('go');
    return await Promise.all(reports);
  } finally {
    await Promise.all(children.map(end));
  }
}

async function nextMessage(child: ChildProcess): Promise<unknown> {
  const over = new AbortController();
  try {
    return await Promise.race([
      once(child, 'message', { signal: over.signal }).then(([message]) => message as unknown),
      once(child, 'exit', { signal: over.signal }).then(([code, signal]) => {
        throw new Error(`a writer process ended too early (${code ?? signal})`);
      }),
    ]);
  } finally {
    over.abort();
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  if (child.connected) child.disconnect();
  await ended;
}

function countFailures({ writers }: Round): number {
  return writers.reduce((sum, writer) => sum + writer.failed.length, 0);
}

function countSent({ writers }: Round): number {
  return writers.reduce((sum, writer) => sum + writer.sent, 0);
}

function rate(round: Round, spanMs: number): number {
  return (1000 * countSent(round)) / spanMs;
}

function slowest({ writers }: Round): number {
  return Math.min(...writers.map((writer) => writer.sent));
}

/** Of all sends, what the slowest writer got. */
function share(round: Round): number {
  return slowest(round) / countSent(round);
}

function longestWait({ writers }: Round): number {
  return Math.max(...writers.map((writer) => writer.longestMs));
}
