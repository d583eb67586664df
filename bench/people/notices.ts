import type { SendResult } from '../../src/protocol/messages.ts';
import type { Life } from '../../test/lab/life/life.ts';
import type { LoggedRequest } from '../../test/lab/mock-llm/request-log.ts';
import { cliNames, pins } from '../../test/lab/versions.ts';
import { paces } from '../delivery/cli/pace.ts';
import { patienceMs, waitForRest } from '../delivery/cli/wait-for-rest.ts';
import { createWord } from '../delivery/letter.ts';
import { interleave, quantile } from '../measure.ts';
import type { BuiltSurroundings } from '../parts.ts';
import type { Part, Row } from '../suite.ts';
import { askDaemon } from '../terminals/station.ts';
import type { Before } from './build-before.ts';
import { type Both, benchLives, type Taken, withLives } from './lives.ts';

type Samples = Both<number>;

/** What a script sends to an agent at rest: as quick as it was. */
export function benchNotices(around: BuiltSurroundings, before: Before): Promise<Part> {
  const builds = { now: around.program, before: before.program };
  const rounds = around.quick ? 3 : 12;
  return benchLives<Samples>(around, {
    title: 'A notice to an agent at rest',
    clis: cliNames,
    begin: () => ({ now: [], before: [] }),
    take: (name, taken) =>
      withLives(name, builds, around.signal, async ({ now, before: older }) => {
        const works = { now: () => takeOne(now), before: () => takeOne(older) };
        await interleave(1, works, around.signal);
        const { now: ours, before: theirs } = await interleave(rounds, works, around.signal);
        taken.now.push(...ours);
        taken.before.push(...theirs);
      }),
    toRows: (done) => done.flatMap(describeCli),
    how: `Two agents of each CLI, one launched by this build and one by ${before.commit}, in turn after one to warm up: from \`POST /messages\` at the daemon's socket, by nobody at a terminal, \
to the model's request that holds the message. Both sides' medians.`,
  });
}

async function takeOne(life: Life): Promise<number> {
  const { mock, box, lab } = life;
  const { needsComposer, quietMs, wakeEveryMs = 0 } = paces[lab.name];
  await waitForRest(life, { needsComposer, quietMs: Math.max(quietMs, wakeEveryMs) });
  const word = createWord();
  const isIt = ({ isSide, body }: LoggedRequest): boolean => !isSide && body.includes(word);
  const arrived = mock.waitFor(isIt, patienceMs);
  const sentAt = Date.now();
  const body = { to: 'lab', body: `${word}, please look into it` };
  await askDaemon<SendResult>(box.state, { method: 'POST', path: '/messages', body });
  return (await arrived).at - sentAt;
}

function describeCli({ name, taken: { now, before } }: Taken<Samples>): readonly Row[] {
  if (now.length === 0) return [];
  const ms = (values: readonly number[]) => ({ value: quantile(values, 0.5), unit: 'ms' }) as const;
  return [
    {
      what: `${name} ${pins[name].version}, notice → request (n ${now.length})`,
      measured: ms(now),
      against: { what: 'before', quantity: ms(before) },
      bar: { atMostMore: 50 },
    },
  ];
}
