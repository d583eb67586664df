import type { CliName } from '../../test/lab/versions.ts';
import { pins } from '../../test/lab/versions.ts';
import { createWord } from '../delivery/letter.ts';
import { median } from '../measure.ts';
import { benchLives, type Taken } from '../people/lives.ts';
import type { Part, Row } from '../suite.ts';
import { type Contest, inTurn, type PeerSurroundings, withContest } from './contest.ts';
import { findArrival } from './judge.ts';
import { clis, type Seat, type ToolName } from './tool.ts';

const kinds = ['prompt', 'notice'] as const;
type Kind = (typeof kinds)[number];

/** Milliseconds to the model's request; undefined: it never came. */
interface Sample {
  readonly tool: ToolName;
  readonly kind: Kind;
  readonly ms: number | undefined;
}

/** Longer than any tool took to deliver what it delivered. */
const lostMs = 90_000;

/** A message to an agent at rest: the user's, and another agent's. */
export function benchIdleSend(around: PeerSurroundings): Promise<Part> {
  const rounds = around.quick ? 3 : 20;
  return benchLives<Sample[]>(around, {
    title: 'A message to an idle agent',
    clis,
    begin: () => [],
    take: (cli, taken) =>
      withContest(around, { cli, withHand: true, withDeck: true }, (contest) =>
        playAll(contest, rounds, taken, around.signal),
      ),
    toRows: (done) => done.flatMap(describeCli),
    how: `Each CLI once in each tool, all on one mock model; the tools in turn, in every other round in the opposite order, after one round to warm up. A sample begins when the tool takes its agent for idle \
and the model has had nothing to do for 3.1 s. Prompt: from the start of the tool's own command, \`signalbox send\` at a person's terminal or \`cao session send --async\` or \`agent-deck session send\`, to the model's request; by hand it is one tmux \
command that pastes and presses Enter. Notice: another agent's message over HTTP, \`POST /messages\` at our daemon's socket or CAO's \`POST /terminals/{id}/inbox/messages\`, to the model's request.`,
  });
}

async function playAll(
  contest: Contest,
  rounds: number,
  taken: Sample[],
  signal: AbortSignal,
): Promise<void> {
  for (let round = -1; round < rounds; round++) {
    for (const kind of kinds) {
      for (const seat of inTurn(contest.seats, round)) {
        signal.throwIfAborted();
        const sample = await takeOne(contest, seat, kind);
        // The first round is to warm up.
        if (sample && round >= 0) taken.push(sample);
      }
    }
  }
}

async function takeOne({ life }: Contest, seat: Seat, kind: Kind): Promise<Sample | undefined> {
  const send = kind === 'prompt' ? seat.prompt : seat.notice;
  if (!send) return undefined;
  await seat.rests();
  const word = createWord();
  const arrived = life.mock
    .waitFor(() => findArrival(life.mock.requests, word) !== undefined, lostMs)
    .then(
      () => findArrival(life.mock.requests, word)?.at,
      () => undefined,
    );
  const startedAt = await send(`${word}, please look into it`);
  const at = await arrived;
  return { tool: seat.tool, kind, ms: at === undefined ? undefined : at - startedAt };
}

function describeCli({ name, taken }: Taken<Sample[]>): readonly Row[] {
  return kinds.flatMap((kind) => {
    const of = (tool: ToolName) => taken.filter((one) => one.tool === tool && one.kind === kind);
    const ours = describeTimes(of('signalbox'));
    if (!ours) return [];
    return (['CAO', 'agent-deck', 'by hand'] as const).flatMap((tool) => {
      const theirs = describeTimes(of(tool));
      if (!theirs) return [];
      return [
        {
          what: `${describeName(name)}, ${kind}, signalbox (${ours.words})`,
          measured: ours.quantity,
          against: { what: `${tool} (${theirs.words})`, quantity: theirs.quantity },
        },
      ];
    });
  });
}

function describeTimes(samples: readonly Sample[]) {
  const times = samples.flatMap(({ ms }) => ms ?? []);
  if (samples.length === 0) return undefined;
  const lost = samples.length - times.length;
  const span = times.length === 0 ? '' : `, ${Math.min(...times)}–${Math.max(...times)}`;
  const words = `n ${samples.length}${span}${lost > 0 ? `, ${lost} lost` : ''}`;
  return { words, quantity: { value: median(times), unit: 'ms' } as const };
}

function describeName(name: CliName): string {
  return `${name} ${pins[name].version}`;
}
