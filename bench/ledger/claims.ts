import { join } from 'node:path';
import { interleave, median, timeEach } from '../measure.ts';
import type { Part, Surroundings } from '../suite.ts';
import { openBenchLedger } from './open.ts';

const batch = 100;

/**
 * How fast one process can carry messages: claimed, injected, acked. Reported; there is no bar for
 * it.
 */
export async function benchClaims({ folder, quick, signal, say }: Surroundings): Promise<Part> {
  const [rounds, count, batches] = quick ? [3, 100, 5] : [9, 500, 20];
  say(`claims: ${rounds} rounds of ${count} single claims and ${batches} of ${batch} messages`);
  const { ledger, send, claimAndAck } = await openBenchLedger(join(folder, 'claims', 'ledger.db'));
  try {
    const works = {
      single: async () => {
        await send(count);
        return timeEach(count, () => claimAndAck(1));
      },
      batch: async () => {
        await send(batches * batch);
        return timeEach(batches, () => claimAndAck(batch));
      },
    };
    await interleave(1, works, signal);
    const ms = await interleave(rounds, works, signal);
    const single = { value: 1000 / median(ms.single), unit: '/s' } as const;
    const batched = { value: (1000 * batch) / median(ms.batch), unit: '/s' } as const;
    return {
      title: 'Claims',
      how: `${rounds} rounds, interleaved, after one to warm up: messages are queued first; timed are the claim, \
\`injected\` and the ack, each a durable transaction of its own, for one message and for ${batch} at a time.`,
      rows: [
        { what: 'claim + inject + ack, one message', measured: single },
        { what: `claim + inject + ack, ${batch} at a time`, measured: batched },
      ],
      raw: { msPerCall: ms },
    };
  } finally {
    await ledger.close();
  }
}
