import { join } from 'node:path';
import { userAgentId } from '../../src/agents/agent.ts';
import { accept } from '../../src/delivery/accept.ts';
import type { Explanation } from '../../src/protocol/messages.ts';
import { systemClock } from '../../src/shared/clock.ts';
import type { Ledger } from '../../src/store/ledger.ts';
import { openBenchLedger } from '../ledger/open.ts';
import { median, quantile } from '../measure.ts';
import type { BuiltSurroundings } from '../parts.ts';
import type { Part } from '../suite.ts';
import { Station } from '../terminals/station.ts';
import { type BareTerminal, BareTerminals } from './bare-terminals.ts';
import { pasteEnd } from './input-watch.ts';
import { writeByHand } from './letter.ts';
import { plainDescription, plainProvider } from './plain-program.ts';
import { type Recipient, Recipients } from './recipients.ts';

const few = 5;
const quietMs = 1000;

/**
 * Many recipients at once: one daemon carries to all of them, and none may wait out of proportion.
 */
export async function benchCrowd(around: BuiltSurroundings): Promise<Part> {
  const { folder, quick, signal, say, dist } = around;
  const many = quick ? 20 : 50;
  const rounds = quick ? 2 : 20;
  say(
    `crowd: ${rounds} rounds of ${many} recipients at once, and as many messages to ${few} at once`,
  );
  const providers = { [plainProvider]: plainDescription };
  const station = new Station(join(folder, 'crowd'), { dist, isBare: true, providers });
  const bare = new BareTerminals(join(folder, 'bare-crowd'), dist);
  const { ledger, recipient } = await openBenchLedger(join(folder, 'bare-crowd', 'ledger.db'), {
    isLongLived: true,
  });
  try {
    await station.start();
    const recipients = await Recipients.launchPlain(station, many);
    const { agents } = recipients;
    const groups = Array.from({ length: many / few }, (_, i) =>
      agents.slice(i * few, (i + 1) * few),
    );
    const round = async (chosen: readonly Recipient[]): Promise<readonly Carried[]> => {
      signal.throwIfAborted();
      await recipients.areQuiet(chosen, quietMs);
      return sendToAll(station, recipients, chosen);
    };
    await bare.open(many, 'plain');
    const byHand = async (chosen: readonly BareTerminal[]): Promise<readonly number[]> => {
      signal.throwIfAborted();
      const lastAt = Math.max(...chosen.map(({ input }) => input.lastAt));
      await systemClock.sleep(Math.max(0, lastAt + quietMs - performance.now()));
      return Promise.all(chosen.map((terminal) => pasteByHand(bare, ledger, recipient, terminal)));
    };
    const bareGroups = groups.map((_, i) => bare.terminals.slice(i * few, (i + 1) * few));
    for (const group of groups.slice(0, 2)) await round(group);
    await round(agents);
    await byHand(bare.terminals);
    const ms = {
      few: [] as number[],
      many: [] as number[],
      fewSent: [] as number[],
      manySent: [] as number[],
      fewByHand: [] as number[],
      manyByHand: [] as number[],
    };
    const keep = (to: 'few' | 'many', carried: readonly Carried[]): void => {
      ms[to].push(...carried.map(({ fromCommit }) => fromCommit));
      ms[`${to}Sent`].push(...carried.map(({ fromSend }) => fromSend));
    };
    for (let i = 0; i < rounds; i++) {
      for (const group of groups) keep('few', await round(group));
      keep('many', await round(agents));
      for (const group of bareGroups) ms.fewByHand.push(...(await byHand(group)));
      ms.manyByHand.push(...(await byHand(bare.terminals)));
    }
    return {
      title: `${many} recipients at once`,
      how: `${rounds} rounds in turn, after one to warm up: one message of 500 bytes to each of ${many} programs, all sent \
at once; and to each group of ${few} of the same programs, one group after the other. From the message's \`createdAt\`, just before its commit, to the last byte \
of its paste in the program's read(); every terminal had been quiet for 1 s. The programs are the least that \
can be pasted into (perl), because ${many} of Node on the daemon's own cores would measure themselves. By hand: the same messages committed and \
pasted through a bare control client, from one process, into as many programs that nobody watches.`,
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
        {
          what: 'the same from the moment of sending, p99',
          measured: { value: quantile(ms.manySent, 0.99), unit: 'ms' },
          against: {
            what: `${few} at once`,
            quantity: { value: quantile(ms.fewSent, 0.99), unit: 'ms' },
          },
        },
        {
          what: `${many} at once by hand, p99`,
          measured: { value: quantile(ms.manyByHand, 0.99), unit: 'ms' },
          against: {
            what: `${few} at once by hand`,
            quantity: { value: quantile(ms.fewByHand, 0.99), unit: 'ms' },
          },
        },
        {
          what: 'the same by hand, median',
          measured: { value: median(ms.manyByHand), unit: 'ms' },
          against: {
            what: `${few} at once by hand`,
            quantity: { value: median(ms.fewByHand), unit: 'ms' },
          },
        },
      ],
      raw: { ms },
    };
  } finally {
    await station.close();
    await bare.close();
    await ledger.close();
  }
}

async function pasteByHand(
  { client }: BareTerminals,
  ledger: Ledger,
  to: string,
  { pane, input }: BareTerminal,
): Promise<number> {
  const [pasted] = input.next(pasteEnd);
  const startedAt = performance.now();
  const draft = { kind: 'message', from: userAgentId, to, body: 'x'.repeat(500) } as const;
  const [accepted] = await accept(ledger, systemClock, [draft]);
  if (accepted?.outcome !== 'accepted') throw new Error('it was not accepted');
  // Brackets of its own: the program has asked for none.
  await client.paste(pane, `\x1b[200~${writeByHand(accepted.message)}${pasteEnd}`);
  const ms = ((await pasted) ?? Number.NaN) - startedAt;
  await client.enter(pane);
  return ms;
}

async function sendToAll(
  station: Station,
  recipients: Recipients,
  chosen: readonly Recipient[],
): Promise<readonly Carried[]> {
  const body = 'x'.repeat(500);
  const sent = await Promise.all(chosen.map((agent) => recipients.send(agent, body)));
  const carried: Carried[] = [];
  for (const { id, sentAt, pastedAt } of sent) {
    const { message } = await station.ask<Explanation>('GET', `/messages/${id}`);
    // Its clock is the wall's.
    const fromCommit = performance.timeOrigin + pastedAt - Date.parse(message.createdAt);
    carried.push({ fromCommit, fromSend: pastedAt - sentAt });
  }
  return carried;
}

/** In milliseconds, to the last byte in the program. */
interface Carried {
  readonly fromCommit: number;
  readonly fromSend: number;
}
