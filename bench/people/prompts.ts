import type { Explanation, SendResult } from '../../src/protocol/messages.ts';
import type { Life } from '../../test/lab/life/life.ts';
import type { LoggedRequest } from '../../test/lab/mock-llm/request-log.ts';
import { cliNames, pins } from '../../test/lab/versions.ts';
import { paces } from '../delivery/cli/pace.ts';
import { PastingHand } from '../delivery/cli/pasting-hand.ts';
import { patienceMs, waitForRest } from '../delivery/cli/wait-for-rest.ts';
import { createWord } from '../delivery/letter.ts';
import { quantile } from '../measure.ts';
import type { BuiltSurroundings } from '../parts.ts';
import type { Part, Row } from '../suite.ts';
import { type AtEnd, benchLives, type Taken, withLives } from './lives.ts';

/** Milliseconds to the model's request; `enter`: by hand, from the last Enter alone. */
interface Prompts {
  readonly ours: number[];
  readonly hand: number[];
  readonly enter: number[];
  /** How ours went, counted. */
  readonly routes: Record<string, number>;
}

/** The user's words to an agent at rest that nobody touches, against a person who pastes them. */
export function benchPrompts(around: BuiltSurroundings): Promise<Part> {
  const builds = { now: around.program };
  const rounds = around.quick ? 3 : 12;
  return benchLives<Prompts>(around, {
    title: 'A prompt of the user to an agent at rest',
    clis: cliNames,
    begin: () => ({ ours: [], hand: [], enter: [], routes: {} }),
    take: (name, taken) =>
      withLives(name, builds, around.signal, ({ now }, atEnd) =>
        playAll(now, rounds, taken, atEnd),
      ),
    toRows: (done) => done.flatMap(describeCli),
    how: `Each CLI in one life, ours and by hand in turn after a round to warm up. Ours: from the moment at which the shell of a person's terminal starts \`signalbox send\` to the model's request, so the start of the \
command counts. By hand: the same words pasted into the agent's terminal through tmux, and Enter, 300 ms after the screen shows them, as soon as a quick person could; from the paste to the model's request. \
The last row of each CLI is by hand from Enter alone.`,
  });
}

async function playAll(life: Life, rounds: number, taken: Prompts, atEnd: AtEnd): Promise<void> {
  const hand = new PastingHand(life);
  const pace = { ...paces[life.lab.name], needsComposer: true };
  const play = async (round: number): Promise<void> => {
    const both = [takeOurs, takeByHand];
    for (const take of round % 2 === 0 ? both : both.toReversed()) {
      await waitForRest(life, pace);
      await take(life, hand, taken);
    }
  };
  await waitForRest(life, pace);
  await hand.open();
  atEnd(() => hand.close());
  await play(0);
  for (const list of [taken.ours, taken.hand, taken.enter]) list.length = 0;
  for (const route of Object.keys(taken.routes)) delete taken.routes[route];
  for (let round = 0; round < rounds; round++) await play(round);
}

async function takeOurs(life: Life, _: PastingHand, taken: Prompts): Promise<void> {
  const { text, arrived } = expectPrompt(life);
  const [request, { startedAt, answer }] = await Promise.all([
    arrived,
    life.box.timeAsUser<SendResult>(['send', 'lab', text]),
  ]);
  taken.ours.push(request.at - startedAt);
  const { attempts } = await life.box.ask<Explanation>(['explain', answer.id]);
  for (const { route } of attempts) taken.routes[route] = (taken.routes[route] ?? 0) + 1;
}

async function takeByHand(life: Life, hand: PastingHand, taken: Prompts): Promise<void> {
  const { text, arrived, hasArrived } = expectPrompt(life);
  const pastedAt = Date.now();
  const [request, enteredAt] = await Promise.all([arrived, hand.submit(text, hasArrived)]);
  taken.hand.push(request.at - pastedAt);
  taken.enter.push(request.at - enteredAt);
}

function expectPrompt({ mock }: Life) {
  const word = createWord();
  const before = mock.requests.length;
  const isIt = ({ n, isSide, lastUserText }: LoggedRequest): boolean =>
    n > before && !isSide && lastUserText.includes(word);
  const arrived = mock.waitFor(isIt, patienceMs);
  const hasArrived = (): boolean => mock.requests.slice(before).some(isIt);
  return { text: `${word}, please look into it`, arrived, hasArrived };
}

function describeCli({ name, taken }: Taken<Prompts>): readonly Row[] {
  const { ours, hand, enter, routes } = taken;
  if (ours.length === 0 || hand.length === 0) return [];
  const who = `${name} ${pins[name].version}`;
  const counted = Object.entries(routes).map(([route, count]) => `${route} ${count}`);
  const ms = (value: number) => ({ value, unit: 'ms' }) as const;
  return [
    {
      what: `${who}, prompt → request, median (${counted.join(', ')}; n ${ours.length})`,
      measured: ms(quantile(ours, 0.5)),
      against: { what: 'by hand', quantity: ms(quantile(hand, 0.5)) },
      bar: { atMost: 3 },
    },
    { what: `${name}, longest`, measured: ms(Math.max(...ours)), bar: { atMost: 2000 } },
    { what: `${name} by hand, from Enter alone`, measured: ms(quantile(enter, 0.5)) },
  ];
}
