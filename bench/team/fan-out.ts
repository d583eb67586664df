import { join } from 'node:path';
import { median } from '../measure.ts';
import type { BuiltSurroundings } from '../parts.ts';
import type { Part, Row } from '../suite.ts';
import { Station } from '../terminals/station.ts';
import { type Burst, Crew, turnMs } from './crew.ts';
import { workerDescription, workerProvider } from './worker-program.ts';

const many = 20;
const few = 5;

/** Twenty workers of one parent that are done at the same moment. */
export async function benchFanOut(around: BuiltSurroundings): Promise<Part> {
  const { folder, quick, signal, say, dist } = around;
  const rounds = quick ? 2 : 8;
  say(`fan-out: ${rounds} rounds of ${many} workers at once, and as many in groups of ${few}`);
  const station = new Station(join(folder, 'fan-out'), {
    ...{ dist, isBare: true, providers: { [workerProvider]: workerDescription } },
    // An hour's worth of them is used up in minutes.
    settings: { 'wake-budget': 100_000 },
  });
  try {
    await station.start();
    const crew = await Crew.launch(station, many);
    const { workers } = crew;
    const groups = Array.from({ length: many / few }, (_, i) =>
      workers.slice(i * few, (i + 1) * few),
    );
    const play = (chosen: typeof workers): Promise<Burst> => {
      signal.throwIfAborted();
      return crew.play(chosen);
    };
    await play(workers);
    await play(groups[0] ?? []);
    const bursts = { few: [] as Burst[], many: [] as Burst[] };
    for (let i = 0; i < rounds; i++) {
      const atOnce = async () => void bursts.many.push(await play(workers));
      if (i % 2 === 0) await atOnce();
      for (const group of groups) bursts.few.push(await play(group));
      if (i % 2 === 1) await atOnce();
    }
    return {
      title: `${many} workers done at once`,
      how: describe(rounds),
      rows: toRows(bursts),
      raw: { bursts },
    };
  } finally {
    await station.close();
  }
}

function toRows({
  few: small,
  many: big,
}: Record<'few' | 'many', readonly Burst[]>): readonly Row[] {
  const sum = (bursts: readonly Burst[], one: (burst: Burst) => number): number =>
    bursts.reduce((all, burst) => all + one(burst), 0);
  const cpuEach = (bursts: readonly Burst[], workers: number): number =>
    (sum(bursts, ({ cpu }) => cpu) * 1000) / bursts.length / workers;
  const took = (bursts: readonly Burst[]): number => median(bursts.map(({ ms }) => ms));
  const compare = (what: string, atMany: number, atFew: number): Row => ({
    what,
    measured: { value: atMany, unit: 'ms' },
    against: { what: `${few} at once`, quantity: { value: atFew, unit: 'ms' } },
  });
  return [
    {
      what: `${many} workers done at once: turns the parent began, most`,
      measured: { value: Math.max(...big.map(({ turns }) => turns)), unit: '' },
      bar: { atMost: 1 },
    },
    {
      what: 'the same: answers lost or doubled, of all rounds',
      measured: {
        value: sum([...big, ...small], ({ lost, doubled }) => lost + doubled),
        unit: '',
      },
      bar: { atMost: 0 },
    },
    compare(
      'the same: last worker’s end → last answer in the parent, median',
      took(big),
      took(small),
    ),
    {
      ...compare(
        'the same: processor time of the daemon, per worker',
        cpuEach(big, many),
        cpuEach(small, few),
      ),
      bar: { atMost: 1.3 },
    },
    {
      ...compare('the same: total time, per worker', took(big) / many, took(small) / few),
      bar: { atMost: 1.3 },
    },
  ];
}

function describe(rounds: number): string {
  return `${rounds} rounds in turn, after one to warm up. A parent gives a task by \`POST /tasks\` to each of ${many} workers that run, and to each group of ${few} of them, \
one group after the other. Parent and workers are the least that takes a message (perl, by guarded paste; their turns are seen on their screens). Once all show that they work and the parent \
has rested for 1 s, all are let go within a millisecond: each shows its answer, a word of its own, and its prompt. The parent thinks for ${turnMs} ms in each turn. Turns: how often its program got a paste and Enter. \
Lost or doubled: words that it did not read, or not once. Total time: from the last worker's end, the moment at which it is let go, to the read that completes the answers in the parent. \
Processor time: user and system of the daemon from the end until all have rested for 1 s, in all rounds, by worker.`;
}
