import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { glance } from '../../src/delivery/survey.ts';
import { systemClock } from '../../src/shared/clock.ts';
import { systemHost } from '../../src/shared/processes.ts';
import { interleave, median, timeEach } from '../measure.ts';
import { formatCount } from '../report.ts';
import type { Part, Row, Surroundings } from '../suite.ts';
import { type Filled, fill } from './fill.ts';
import { type BenchLedger, openBenchLedger } from './open.ts';

const batch = 100;
const limits = { blocks: 3, wakes: 60, scripts: 240, noticeAfterMs: 10_000 };
const here = { clock: systemClock, host: systemHost };

/**
 * Does a long past make the present slower? The same verbs in a ledger with few settled messages
 * and in one with many.
 */
export async function benchGrowth({ folder, quick, signal, say }: Surroundings): Promise<Part> {
  const [few, many] = quick ? [1000, 50_000] : [1000, 1_000_000];
  const [rounds, count, drains] = quick ? [3, 100, 5] : [15, 400, 15];
  say(`growth: filling a ledger with ${formatCount(many)} settled messages`);
  const small = await prepare(join(folder, 'small', 'ledger.db'), few);
  const large = await prepare(join(folder, 'large', 'ledger.db'), many);
  const past = large.filled;
  say(`growth: filled in ${past.seconds.toFixed(0)} s; ${rounds} rounds of each verb in both`);
  try {
    const raw: Record<string, unknown> = { filled: { small: small.filled, large: past } };
    const rows: Row[] = [];
    const compare = async (what: string, time: (bench: BenchLedger) => Promise<number>) => {
      const works = { small: () => time(small.bench), large: () => time(large.bench) };
      await interleave(1, works, signal);
      const ms = await interleave(rounds, works, signal);
      raw[what] = { msPerCall: ms };
      rows.push({
        what: `${what}, ${formatCount(many)} settled`,
        measured: { value: median(ms.large), unit: 'ms' },
        against: {
          what: `${formatCount(few)} settled`,
          quantity: { value: median(ms.small), unit: 'ms' },
        },
        bar: { atMost: 1.3 },
      });
    };
    await compare('send', (bench) => timeSends(bench, count, () => bench.send(1)));
    await compare('send with a key', (bench) =>
      timeSends(bench, count, () => bench.send(1, randomUUID())),
    );
    await compare('claim + inject + ack', async (bench) => {
      await bench.send(count);
      return timeEach(count, () => bench.claimAndAck(1));
    });
    await compare(`drain of ${batch}`, async (bench) => {
      await bench.send(drains * batch);
      return timeEach(drains, () => bench.drain(batch));
    });
    await compare('look at an inbox', async (bench) => {
      const parts = { ledger: bench.ledger, surroundings: here, limits };
      return timeEach(count, () => glance(parts, bench.recipient));
    });
    return {
      title: 'Growth',
      how: `Two ledgers, filled with the rows that sent, claimed, handed-out and acked messages leave (for each the \
message, four history rows, a claim and an attempt; a quarter of them with keys, and a quarter injected for good without proof). For each verb ${rounds} rounds, in turn in \
both, after one to warm up: ${count} sends; ${count} sends with a random key; ${count} times claim, inject, ack of one \
message; ${drains} drains of ${batch} messages; ${count} times the look that delivery takes at an empty inbox. Medians of the rounds' times per call.`,
      rows: [
        ...rows,
        { what: 'filling the large ledger', measured: { value: past.seconds, unit: 's' } },
        { what: 'size of the large ledger', measured: { value: past.megabytes, unit: 'MB' } },
      ],
      raw,
    };
  } finally {
    await small.bench.ledger.close();
    await large.bench.ledger.close();
  }
}

async function prepare(
  path: string,
  count: number,
): Promise<{ bench: BenchLedger; filled: Filled }> {
  const { ledger, recipient } = await openBenchLedger(path);
  await ledger.close();
  const filled = fill(path, recipient, count);
  return { bench: await openBenchLedger(path), filled };
}

/** Empties the inbox afterwards, so that every measurement begins with an empty one. */
async function timeSends(
  bench: BenchLedger,
  count: number,
  send: () => Promise<void>,
): Promise<number> {
  const ms = await timeEach(count, send);
  await bench.drain(count);
  return ms;
}
