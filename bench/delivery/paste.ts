import { join } from 'node:path';
import { userAgentId } from '../../src/agents/agent.ts';
import { accept } from '../../src/delivery/accept.ts';
import { systemClock } from '../../src/shared/clock.ts';
import type { Ledger } from '../../src/store/ledger.ts';
import { openBenchLedger } from '../ledger/open.ts';
import { interleave, median, quantile } from '../measure.ts';
import type { BuiltSurroundings } from '../parts.ts';
import type { Part } from '../suite.ts';
import { Station } from '../terminals/station.ts';
import { BareTerminals } from './bare-terminals.ts';
import { pasteEnd } from './input-watch.ts';
import { writeByHand } from './letter.ts';
import { type Pasted, type Recipient, Recipients } from './recipients.ts';

const body = 'All work and no play makes a dull message. '.repeat(12).slice(0, 500);
/** So many take turns on each side, so that one is measured while the others come to rest. */
const perSide = 4;
const quietMs = 1000;

/**
 * Route `paste` from the send to the program's read(), against a commit and a paste with nothing
 * around them.
 */
export async function benchPaste(around: BuiltSurroundings): Promise<Part> {
  const { folder, quick, signal, say, dist } = around;
  const sends = quick ? 8 : 60;
  say(`paste: ${sends} sends each way`);
  const station = new Station(join(folder, 'paste'), { dist, isBare: true });
  const bare = new BareTerminals(join(folder, 'bare'), dist);
  const { ledger, recipient } = await openBenchLedger(join(folder, 'bare', 'ledger.db'), {
    isLongLived: true,
  });
  let sender: Ledger | undefined;
  try {
    await station.start();
    const recipients = await Recipients.launch(station, perSide);
    sender = (await openBenchLedger(join(station.home, 'ledger.db'))).ledger;
    const own = sender;
    await bare.open(perSide);
    const whole: Pasted[] = [];
    let turn = 0;
    const next = async (): Promise<Recipient> => {
      const agent = recipients.agents[turn++ % perSide];
      if (!agent) throw new Error('nobody was launched');
      await recipients.areQuiet([agent], quietMs);
      return agent;
    };
    const api = async (): Promise<number> => {
      const agent = await next();
      const startedAt = performance.now();
      return (await recipients.send(agent, body)).pastedAt - startedAt;
    };
    const ours = async (): Promise<number> => {
      const agent = await next();
      const startedAt = performance.now();
      const pasted = await recipients.commit(agent, own, body);
      whole.push({
        pastedAt: pasted.pastedAt - startedAt,
        enteredAt: pasted.enteredAt - startedAt,
      });
      return pasted.pastedAt - startedAt;
    };
    let bareTurn = 0;
    const floor = async (): Promise<number> => {
      const terminal = bare.terminals[bareTurn++ % perSide];
      if (!terminal) throw new Error('no terminal is open');
      const { pane, input } = terminal;
      await systemClock.sleep(Math.max(0, input.lastAt + quietMs - performance.now()));
      const [pasted = never()] = input.next(pasteEnd);
      const startedAt = performance.now();
      const draft = { kind: 'message', from: userAgentId, to: recipient, body } as const;
      const [accepted] = await accept(ledger, systemClock, [draft]);
      if (accepted?.outcome !== 'accepted') throw new Error('the floor was not accepted');
      await bare.client.paste(pane, writeByHand(accepted.message));
      const ms = (await pasted) - startedAt;
      await bare.client.enter(pane);
      return ms;
    };
    const works = { ours, api, floor };
    await interleave(perSide, works, signal);
    whole.length = 0;
    const ms = await interleave(sends, works, signal);
    const entered = whole.map(({ enteredAt }) => enteredAt);
    return {
      title: 'Paste',
      how: `${sends} sends of 500 bytes each way, in turn, after ${perSide} to warm up, each into a scripted agent whose \
terminal has been quiet for 1 s (${perSide} of them take turns on each side). Ours: committed by the sender, which then tells the \
daemon, as \`signalbox send\` does once it runs; and \`POST /messages\` at the daemon's socket, as agents send; each until the \
program's read() has returned the last byte of the paste. Floor: the same message committed by delivery/accept.ts to \
a ledger on the same disk, and the same text as one bracketed paste through a bare control client of tmux, from one process. \
The program reports what it read over a socket, which is part of both.`,
      rows: [
        {
          what: 'paste: send → bytes in the program, median',
          measured: { value: median(ms.ours), unit: 'ms' },
          against: {
            what: 'commit + paste by hand',
            quantity: { value: median(ms.floor), unit: 'ms' },
          },
          bar: { atMostMore: 5 },
        },
        {
          what: 'the same, p99',
          measured: { value: quantile(ms.ours, 0.99), unit: 'ms' },
          against: {
            what: 'commit + paste by hand',
            quantity: { value: quantile(ms.floor, 0.99), unit: 'ms' },
          },
        },
        {
          what: 'the same by the API (the daemon commits), median',
          measured: { value: median(ms.api), unit: 'ms' },
          against: {
            what: 'commit + paste by hand',
            quantity: { value: median(ms.floor), unit: 'ms' },
          },
          bar: { atMostMore: 5 },
        },
        {
          what: 'send → Enter in the program, shown first, median',
          measured: { value: median(entered), unit: 'ms' },
        },
      ],
      raw: { ms, entered },
    };
  } finally {
    await sender?.close();
    await station.close();
    await bare.close();
    await ledger.close();
  }
}

function never(): never {
  throw new Error('one text is waited for');
}
