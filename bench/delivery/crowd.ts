import { join } from 'node:path';
import type { Explanation } from '../../src/protocol/messages.ts';
import { median, quantile } from '../measure.ts';
import type { Part } from '../suite.ts';
import { Station } from '../terminals/station.ts';
import type { DeliverySurroundings } from './main.ts';
import { plainDescription, plainProvider } from './plain-program.ts';
import { type Recipient, Recipients } from './recipients.ts';

const few = 5;
const quietMs = 1000;

/** Many recipients at once: one daemon carries to all of them, and none may wait out of proportion. */
export async function benchCrowd(around: DeliverySurroundings): Promise<Part> {
  const { folder, quick, signal, say, dist } = around;
  const many = quick ? 20 : 50;
  const rounds = quick ? 2 : 8;
  say(
    `crowd: ${rounds} rounds of ${many} recipients at once, and as many messages to ${few} at once`,
  );
  const providers = { [plainProvider]: plainDescription };
  const station = new Station(join(folder, 'crowd'), { dist, isBare: true, providers });
  try {
    await station.start();
    const recipients = await Recipients.launchPlain(station, many);
    const { agents } = recipients;
    const groups = Array.from({ length: many / few }, (_, i) =>
      agents.slice(i * few, (i + 1) * few),
    );
    const round = async (chosen: readonly Recipient[]): Promise<readonly number[]> => {
      signal.throwIfAborted();
      await recipients.areQuiet(chosen, quietMs);
      return sendToAll(station, recipients, chosen);
    };
    for (const group of groups.slice(0, 2)) await round(group);
    await round(agents);
    const ms: Record<'few' | 'many', number[]> = { few: [], many: [] };
    for (let i = 0; i < rounds; i++) {
      for (const group of groups) ms.few.push(...(await round(group)));
      ms.many.push(...(await round(agents)));
    }
    return {
      title: `${many} recipients at once`,
      how: `${rounds} rounds in turn, after one to warm up: one message of 500 bytes to each of ${many} scripted agents, all sent \
at once; and to each group of ${few} of the same agents, one group after the other. From the message's \`createdAt\`, just before its commit, to the last byte \
of its paste in the program's read(); every terminal had been quiet for 1 s. All ${many} programs run on the same cores as the daemon.`,
      rows: [
        {
          what: `${many} recipients at once: commit → bytes in the program, p99`,
          measured: { value: quantile(ms.many, 0.99), unit: 'ms' },
          against: {
            what: `${few} at once`,
            quantity: { value: quantile(ms.few, 0.99), unit: 'ms' },
          },
          bar: { atMost: 3 },
        },
        {
          what: 'the same, median',
          measured: { value: median(ms.many), unit: 'ms' },
          against: { what: `${few} at once`, quantity: { value: median(ms.few), unit: 'ms' } },
        },
      ],
      raw: { ms },
    };
  } finally {
    await station.close();
  }
}

async function sendToAll(
  station: Station,
  recipients: Recipients,
  chosen: readonly Recipient[],
): Promise<readonly number[]> {
  const body = 'x'.repeat(500);
  const sent = await Promise.all(chosen.map((agent) => recipients.send(agent, body)));
  const ms: number[] = [];
  for (const { id, pastedAt } of sent) {
    const { message } = await station.ask<Explanation>('GET', `/messages/${id}`);
    // Its clock is the wall's.
    ms.push(performance.timeOrigin + pastedAt - Date.parse(message.createdAt));
  }
  return ms;
}
