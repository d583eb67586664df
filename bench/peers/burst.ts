import type { InboxList } from '../../src/protocol/messages.ts';
import { systemClock } from '../../src/shared/clock.ts';
import { pins } from '../../test/lab/versions.ts';
import { createWord } from '../delivery/letter.ts';
import { benchLives, type Taken } from '../people/lives.ts';
import type { Part, Quantity, Row } from '../suite.ts';
import { type Contest, type PeerSurroundings, withContest } from './contest.ts';
import { type BurstFate, judgeBurst, Missing } from './judge.ts';
import { type Seat, type ToolName, toolNames } from './tool.ts';

interface Burst extends BurstFate {
  readonly tool: ToolName;
  readonly sent: number;
  /** The tool said yes to so many; the others' senders know that they must send again. */
  readonly accepted: number;
  readonly acceptedLost: number;
  /** From the first send to the last arrival. */
  readonly ms: number;
  /** The tool says that its agent has these, and no request ever held them. */
  readonly claimed: number;
}

type Kind = 'whole' | 'killed';

/** The model thinks for so long over each request. */
const thinksMs = 2000;
/** CAO looks every 30 s after messages that have waited for 30 s: nothing for longer is the end. */
const silenceMs = 90_000;
/** The server is away for so long. */
const awayMs = 3000;

/** Many messages to one agent at once. */
export function benchBurst(around: PeerSurroundings): Promise<Part> {
  return benchBursts(around, 'whole', {
    title: 'Many messages at once',
    how: `Messages of another agent to one idle agent, all sent at the same moment over HTTP, first in one tool, then in the other; the model thinks for 2 s over each request. From the first send to the request with the last of them.`,
  });
}

/** The same, and the tool's server dies in the middle. */
export function benchKill(around: PeerSurroundings): Promise<Part> {
  return benchBursts(around, 'killed', {
    title: 'The server killed with -9 in a burst',
    how: `The same burst. As soon as the model has got the first message, the server is killed with -9 and started again 3 s later; CLIs and terminals live on. A send that got no answer is not accepted: its sender knows. A kill that found nothing left to deliver is not counted, and the burst repeated, at most twice. It is over when all have arrived, or none has for \
90 s. Claimed: the tool calls a message delivered (signalbox: seen or acked) that no request held.`,
  });
}

function benchBursts(
  around: PeerSurroundings,
  kind: Kind,
  words: Pick<Part, 'title' | 'how'>,
): Promise<Part> {
  const size = around.quick ? 10 : 50;
  const rounds = around.quick || kind === 'whole' ? 1 : 3;
  return benchLives<Burst[]>(around, {
    ...words,
    clis: ['claude-code'],
    begin: () => [],
    take: async (cli, taken) => {
      for (let round = 0; round < rounds; round++) {
        // After a kill CAO knows none of its agents any more: each round needs new ones.
        await withContest(around, { cli, withHand: false }, async (contest) => {
          for (const seat of contest.seats) {
            taken.push(await playUntilHit(contest, seat, { size, kind, signal: around.signal }));
          }
        });
      }
    },
    toRows: (done) => done.flatMap((one) => describeCli(one, kind)),
  });
}

interface BurstWish {
  readonly size: number;
  readonly kind: Kind;
  readonly signal: AbortSignal;
}

/** A kill that found nothing left to deliver hit no burst: the agent gets another one. */
async function playUntilHit(contest: Contest, seat: Seat, wish: BurstWish): Promise<Burst> {
  for (let tries = 0; tries < 3; tries++) {
    const burst = await playOne(contest, seat, wish);
    if (burst) return burst;
  }
  throw new Error(`${seat.tool}: all had arrived before the kill, three times`);
}

async function playOne(
  contest: Contest,
  seat: Seat,
  { size, kind, signal }: BurstWish,
): Promise<Burst | undefined> {
  const { mock } = contest.life;
  const { notice } = seat;
  if (!notice) throw new Error(`${seat.tool} carries no message of another agent`);
  await seat.rests();
  const mark = createWord();
  mock.answerWith(mark, [
    { do: 'sleep', ms: thinksMs },
    { do: 'say', text: 'ok' },
  ]);
  const words = Array.from({ length: size }, createWord);
  const missing = new Missing(mock.requests, words);
  const startedAt = Date.now();
  const sending = Promise.allSettled(words.map((word) => notice(`${word} of ${mark}.`)));
  if (kind === 'killed') {
    // Not when every send is answered: CAO answers after its paste, and all were delivered by then.
    await untilSilence(() => Math.max(0, missing.count() - size + 1), signal);
    const left = await killAndRevive(contest, seat, () => missing.count());
    if (left === 0) {
      await sending;
      mock.answerWith(mark, undefined);
      return undefined;
    }
  }
  const sends = await sending;
  const accepted = words.filter((_, at) => sends[at]?.status === 'fulfilled');
  await untilSilence(() => missing.count(), signal);
  mock.answerWith(mark, undefined);
  const fate = judgeBurst(mock.requests, words);
  const claims = await listClaims(contest, seat);
  const isThere = (word: string): boolean => judgeBurst(mock.requests, [word]).arrived > 0;
  const claimed = words.filter((word) => claims.some((text) => text.includes(word)));
  return {
    ...fate,
    tool: seat.tool,
    sent: size,
    accepted: accepted.length,
    acceptedLost: accepted.filter((word) => !isThere(word)).length,
    ms: (fate.lastAt ?? Number.NaN) - startedAt,
    claimed: claimed.filter((word) => !isThere(word)).length,
  };
}

/** Until nothing is left, or what is left has not become less for a long time. */
async function untilSilence(left: () => number, signal: AbortSignal): Promise<void> {
  let [last, since] = [left(), performance.now()];
  while (last > 0 && performance.now() - since < silenceMs) {
    signal.throwIfAborted();
    await systemClock.sleep(100);
    const now = left();
    if (now !== last) [last, since] = [now, performance.now()];
  }
}

/** Gives how many were missing when it died. */
async function killAndRevive(
  { life, cao }: Contest,
  seat: Seat,
  countMissing: () => number,
): Promise<number> {
  const isOurs = seat.tool === 'signalbox';
  await (isOurs ? life.box.killDaemon() : cao?.place.server.kill());
  const left = countMissing();
  await systemClock.sleep(awayMs);
  await (isOurs ? life.box.up() : cao?.place.server.start());
  return left;
}

/** The bodies of those that the tool counts as delivered. */
async function listClaims({ life, cao }: Contest, seat: Seat): Promise<readonly string[]> {
  if (seat.tool === 'signalbox') {
    const asked = ['inbox', 'list', 'lab', '--state', 'all'];
    const { messages } = await life.box.ask<InboxList>(asked);
    return messages
      .filter(({ state }) => state === 'seen' || state === 'acked')
      .map(({ body }) => body);
  }
  if (!cao) return [];
  const path = `/terminals/${cao.terminal.id}/inbox/messages`;
  const asked = { limit: '100', status: 'delivered' };
  const messages = await cao.place.server.ask<readonly { readonly message: string }[]>(
    'GET',
    path,
    asked,
  );
  return messages.map(({ message }) => message);
}

function describeCli({ name, taken }: Taken<Burst[]>, kind: Kind): readonly Row[] {
  const who = `${name} ${pins[name].version}`;
  return toolNames.flatMap((tool) => {
    const bursts = taken.filter((one) => one.tool === tool);
    if (bursts.length === 0) return [];
    const sum = (of: (burst: Burst) => number): number =>
      bursts.reduce((total, burst) => total + of(burst), 0);
    const row = (what: string, value: number, unit: Quantity['unit'] = ''): Row => ({
      what: `${who}, ${tool}: ${what}`,
      measured: { value, unit },
    });
    const [sent, accepted] = [sum((burst) => burst.sent), sum((burst) => burst.accepted)];
    const arrived = sum((burst) => burst.arrived);
    const rows = [
      row(`arrived (of ${sent} sent, ${accepted} accepted)`, arrived),
      row(
        'told twice',
        sum((burst) => burst.doubled),
      ),
    ];
    if (kind === 'killed') {
      const lost = sum((burst) => burst.acceptedLost);
      const claimed = sum((burst) => burst.claimed);
      return [...rows, row('accepted and lost', lost), row('claimed, in no request', claimed)];
    }
    const seconds = sum((burst) => burst.ms) / 1000;
    const requests = sum((burst) => burst.requests);
    return [...rows, row('to the last of them', seconds, 's'), row('model requests', requests)];
  });
}
