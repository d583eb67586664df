import { traits } from '../../test/lab/delivery/traits.ts';
import { waitUntil } from '../../test/support/wait-until.ts';
import { createWord } from '../delivery/letter.ts';
import { benchLives } from '../people/lives.ts';
import type { Part } from '../suite.ts';
import { type Contest, inTurn, type PeerSurroundings, withContest } from './contest.ts';
import { countFates, type Fated } from './fates.ts';
import { type DraftFate, findArrival, judgeDraft } from './judge.ts';
import { clis, type Seat } from './tool.ts';

/** Kept means also that the person still sees it. */
type Fate = DraftFate | 'draft gone';

/** Every tool that delivers into a draft does so in a fraction of this. */
const arrivesMs = 30_000;

/** A person has begun to write, and a message comes. */
export function benchDraft(around: PeerSurroundings): Promise<Part> {
  const rounds = around.quick ? 2 : 10;
  return benchLives<Fated<Fate>[]>(around, {
    title: 'A draft in the composer',
    clis,
    begin: () => [],
    take: (cli, taken) =>
      withContest(around, { cli, withHand: true, withDeck: true }, async (contest) => {
        for (let round = 0; round < rounds; round++) {
          for (const seat of inTurn(contest.seats, round)) {
            around.signal.throwIfAborted();
            taken.push({ tool: seat.tool, fate: await playOne(contest, seat) });
          }
        }
      }),
    toRows: (done) => done.flatMap((one) => countFates(one, 'draft kept, message alone', 'kept')),
    how: `A person writes a word into the composer of an idle agent and leaves it there. Then another agent's message comes (by hand: a script's paste and Enter). The draft is kept when the model got the message \
without it, and the screen still shows it; merged when one prompt held both. A message that no request held within 30 s is lost.`,
  });
}

async function playOne({ life }: Contest, seat: Seat): Promise<Fate> {
  await seat.rests();
  const [word, draft] = [createWord(), createWord().replace('letter', 'draft')];
  await seat.hands.write(draft);
  await seat.hands.shows(new RegExp(draft), arrivesMs);
  await (seat.notice ?? seat.prompt)(`${word}, please look into it`);
  const { requests } = life.mock;
  await waitUntil('its arrival', () => findArrival(requests, word), arrivesMs).catch(() => {
    // Judged below: it is lost.
  });
  const fate = judgeDraft(requests, word, draft);
  const isShown = (await seat.hands.look()).text.includes(draft);
  await seat.hands.press(traits[life.lab.name].emptyKeys);
  return fate === 'kept' && !isShown ? 'draft gone' : fate;
}
