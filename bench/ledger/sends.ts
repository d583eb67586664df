import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { interleave, median, timeEach } from '../measure.ts';
import type { Part, Surroundings } from '../suite.ts';
import { openBenchLedger } from './open.ts';

const batch = 500;

/** Durable sends of one process against what its disk can do at all. */
export async function benchSends({ folder, quick, signal, say }: Surroundings): Promise<Part> {
  // A round is long enough to hold a checkpoint of its own (one per 16 MiB of log, about 900
  // sends).
  const [rounds, count, batches] = quick ? [3, 300, 5] : [11, 1500, 20];
  say(`sends: ${rounds} rounds of ${count} sends, as many appends, and ${batches} batches`);
  const { ledger, send } = await openBenchLedger(join(folder, 'sends', 'ledger.db'));
  const floor = openSync(join(folder, 'sends', 'floor'), 'w');
  try {
    const page = Buffer.alloc(4096, 1);
    const append = (): void => {
      writeSync(floor, page);
      fsyncSync(floor);
    };
    const works = {
      append: () => timeEach(count, append),
      send: () => timeEach(count, () => send(1)),
      batch: () => timeEach(batches, () => send(batch)),
    };
    // Warm: compiled code, and a log that has been through its first checkpoint.
    await interleave(1, works, signal);
    const perSecond = await interleave(rounds, works, signal).then(
      ({ append, send, batch: batched }) => ({
        append: append.map((ms) => 1000 / ms),
        send: send.map((ms) => 1000 / ms),
        batch: batched.map((ms) => (1000 * batch) / ms),
      }),
    );
    const single = { value: median(perSecond.send), unit: '/s' } as const;
    const floorRate = { value: median(perSecond.append), unit: '/s' } as const;
    return {
      title: 'Sends',
      how: `${rounds} rounds, interleaved, after one to warm up: ${count} sends of one 500-byte message each through \
delivery/accept.ts; ${count} appends of 4 KiB, each with its own fsync, to a file beside the ledger; ${batches} sends \
of ${batch} messages in one transaction. Medians of the rounds' rates.`,
      rows: [
        {
          what: 'durable sends, one process',
          measured: single,
          against: { what: 'append 4 KiB + fsync', quantity: floorRate },
          bar: { atLeast: 0.7 },
        },
        {
          what: `durable sends in batches of ${batch}`,
          measured: { value: median(perSecond.batch), unit: '/s' },
          against: { what: 'one by one', quantity: single },
          bar: { atLeast: 10 },
        },
      ],
      raw: { perSecond },
    };
  } finally {
    closeSync(floor);
    await ledger.close();
  }
}
