import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { waitUntil } from '../../test/support/wait-until.ts';
import { createWord } from '../delivery/letter.ts';
import { benchLives } from '../people/lives.ts';
import type { Part } from '../suite.ts';
import { type Contest, inTurn, type PeerSurroundings, withContest } from './contest.ts';
import { countFates, type Fated } from './fates.ts';
import { findArrival } from './judge.ts';
import { patienceMs } from './model-rest.ts';
import type { Seat } from './tool.ts';

type Fate =
  | 'untouched, then delivered'
  | 'untouched, then lost'
  | 'approved, delivered'
  | 'approved, message lost'
  | 'dialog gone, tool not run'
  /** Its command ran, and no look in between saw the question. */
  | 'approved by the Enter of the order itself'
  /** The order did not reach the model. */
  | 'never asked';

/** Who began the turn that asks: tools watch their own turns more closely than a person's. */
const beginners = ['person', 'tool'] as const;
type Beginner = (typeof beginners)[number];

/** An approval comes with the paste: CAO takes 2.5 s for it, a script and we a part of one. */
const watchMs = 15_000;
const arrivesMs = 60_000;

/** A permission is asked for, and a message comes. */
export function benchDialog(around: PeerSurroundings): Promise<Part> {
  const rounds = around.quick ? 1 : 5;
  return benchLives<(Fated<Fate> & { readonly by: Beginner })[]>(around, {
    title: 'A permission dialog',
    // CAO starts Codex without any dialog (--yolo), so there is nothing to compare.
    clis: ['claude-code'],
    begin: () => [],
    take: (cli, taken) =>
      withContest(around, { cli, withHand: true, withDeck: true }, async (contest) => {
        for (let round = 0; round < rounds; round++) {
          for (const by of beginners) {
            for (const seat of inTurn(contest.seats, round)) {
              around.signal.throwIfAborted();
              const fate = await playOne(contest, seat, by);
              taken.push({ tool: seat.tool, by, fate });
            }
          }
        }
      }),
    toRows: (done) =>
      done.flatMap((one) =>
        beginners.flatMap((by) => {
          const taken = one.taken.filter((round) => round.by === by);
          const what = `dialog in a turn begun by the ${by}: left alone, message delivered after`;
          return countFates({ ...one, taken }, what, 'untouched, then delivered');
        }),
      ),
    how: `Claude Code asks whether it may run a command (\`--permission-mode default\` in every tool), in a turn that a person began at its terminal, or that the tool's own command began. While the question stands, another agent's \
message comes (by hand: a script's paste and Enter). Approved: the command ran although nobody had answered, watched for 15 s. Otherwise the person then says no with Esc, and the message has 60 s to reach the model.`,
  });
}

async function playOne({ life }: Contest, seat: Seat, by: Beginner): Promise<Fate> {
  await seat.rests();
  const file = `${createWord()}.txt`;
  const word = createWord();
  const order = `@@tool touch ${file} @@say after the tool`;
  // What the user sends is done word by word; what a script pastes, too.
  if (by === 'person') await seat.hands.submit(order);
  else await seat.prompt(order);
  const hasRun = (): boolean => existsSync(join(seat.cwd, file));
  const isAsked = await asks(seat, hasRun);
  if (!isAsked) return hasRun() ? 'approved by the Enter of the order itself' : 'never asked';
  const { requests } = life.mock;
  const arrives = (ms: number) =>
    waitUntil('its arrival', () => findArrival(requests, word), ms).then(
      () => true,
      () => false,
    );
  // CAO answers a send only when it has pasted, or has given up.
  const sent = (seat.notice ?? seat.prompt)(`${word}, please look into it`);
  await Promise.all([sent, waitUntil('an approval', hasRun, watchMs).catch(() => undefined)]);
  if (hasRun())
    return (await arrives(arrivesMs)) ? 'approved, delivered' : 'approved, message lost';
  const isThere = asked.test((await seat.hands.look()).text);
  if (!isThere) return 'dialog gone, tool not run';
  await seat.hands.press(life.lab.denyKeys);
  return (await arrives(arrivesMs)) ? 'untouched, then delivered' : 'untouched, then lost';
}

/** Whether the question stands; a command that has run was approved before anybody could see it. */
async function asks(seat: Seat, hasRun: () => boolean): Promise<boolean> {
  const settled = async (): Promise<boolean> => (await seat.hands.sees(asked)) || hasRun();
  await waitUntil('the question', settled, patienceMs).catch(async () => {
    const { text } = await seat.hands.look();
    process.stderr.write(`${seat.tool}: no question; its screen:\n${text}\n`);
  });
  return !hasRun() && (await seat.hands.sees(asked));
}

/** Claude Code 2.1.325. */
const asked = /Do you want to proceed\?/;
