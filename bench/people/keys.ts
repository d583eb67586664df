import {
  type KeysPlan,
  type KeysRound,
  planRound,
  playKeys,
} from '../../test/lab/delivery/keys-round.ts';
import { Person } from '../../test/lab/delivery/person.ts';
import { SeatedPerson } from '../../test/lab/delivery/seated-person.ts';
import type { Life } from '../../test/lab/life/life.ts';
import { pins } from '../../test/lab/versions.ts';
import type { BuiltSurroundings } from '../parts.ts';
import type { Part, Row } from '../suite.ts';
import type { Before } from './build-before.ts';
import { type AtEnd, type Both, benchLives, type Taken, withLives } from './lives.ts';

type Rounds = Both<KeysRound>;

/** A message of the user's, and a person whose keys begin 0 to 500 ms later. */
export function benchKeys(around: BuiltSurroundings, before: Before): Promise<Part> {
  const builds = { now: around.program, before: before.program };
  const rounds = around.quick ? 4 : 20;
  return benchLives<Rounds>(around, {
    title: 'Keys that begin 0 to 500 ms after a send',
    // Into the others nothing is pasted, so nothing can be mixed.
    clis: ['claude-code', 'gemini', 'kimi'],
    begin: () => ({ now: [], before: [] }),
    take: (name, taken) =>
      withLives(name, builds, around.signal, (lives, atEnd) =>
        playAll(lives, rounds, taken, atEnd),
      ),
    toRows: (done) => [...done.flatMap(describeCli), ...describeAll(done)],
    how: `Two agents of each CLI that signalbox pastes into, one launched by this build and one by ${before.commit}, both on the mock model; each has a \
person attached through a tmux of their own. In every round, on both at the same time, the user sends a message at a terminal, and the person types 16 keys, one every 30 ms; \
the first comes 0 to 500 ms after the end of the command, evenly spread. In every second round the person presses Enter 0.5 s after the last key, whatever \
the status line says; otherwise never. A prompt is mixed when the model gets the message with one of these keys in it, or not whole: by us, if it came before the person's Enter or without one. \
Unnoticed: mixed, and neither the person's status line nor the message's history says so.`,
  });
}

async function playAll(
  lives: Readonly<Record<keyof Rounds, Life>>,
  rounds: number,
  taken: Rounds,
  atEnd: AtEnd,
): Promise<void> {
  const both = ['now', 'before'] as const;
  const people = new Map<keyof Rounds, SeatedPerson>();
  for (const build of both) {
    await new Person(lives[build]).opens();
    const person = await SeatedPerson.sit(lives[build]);
    atEnd(() => person.leaves());
    people.set(build, person);
  }
  const play = async (build: keyof Rounds, plan: KeysPlan): Promise<void> => {
    const person = people.get(build);
    if (!person) return;
    const round = await playKeys(lives[build], person, plan).catch((error: unknown) => {
      throw new Error(`${build}, ${Math.round(plan.afterMs)} ms: ${error}`);
    });
    taken[build].push(round);
  };
  for (let n = 0; n < rounds; n++) {
    await Promise.all(both.map((build) => play(build, planRound(n, rounds))));
  }
}

function describeCli({ name, taken: { now, before } }: Taken<Rounds>): readonly Row[] {
  const who = `${name} ${pins[name].version}`;
  const row = (what: string, isSo: (round: KeysRound) => boolean): Row => ({
    what: `${who}, ${what} (of ${now.length})`,
    measured: count(now, isSo),
    against: { what: `before (of ${before.length})`, quantity: count(before, isSo) },
  });
  return [
    row('mixed by us', isByUs),
    row("mixed by the person's Enter", isByPerson),
    row('of these, without a word in the status line', isUntold),
  ];
}

function describeAll(done: readonly Taken<Rounds>[]): readonly Row[] {
  const now = done.flatMap(({ taken }) => taken.now);
  const before = done.flatMap(({ taken }) => taken.before);
  if (now.length === 0) return [];
  return [
    {
      what: `all: mixed by us (of ${now.length})`,
      measured: count(now, isByUs),
      bar: { atMost: 0 },
    },
    {
      what: `all: mixed by us or by the person's Enter (of ${now.length})`,
      measured: count(now, isMixed),
      against: { what: `before (of ${before.length})`, quantity: count(before, isMixed) },
      bar: { atMost: 0.1 },
    },
    { what: 'all: unnoticed', measured: count(now, isUnnoticed), bar: { atMost: 0 } },
    { what: 'all: unnoticed, the build before', measured: count(before, isUnnoticed) },
  ];
}

function count(rounds: readonly KeysRound[], isSo: (round: KeysRound) => boolean) {
  return { value: rounds.filter(isSo).length, unit: '' } as const;
}

const isByUs = ({ mixedBy }: KeysRound): boolean => mixedBy === 'us';
const isByPerson = ({ mixedBy }: KeysRound): boolean => mixedBy === 'person';
const isMixed = ({ mixedBy }: KeysRound): boolean => mixedBy !== undefined;
const isUntold = (round: KeysRound): boolean => isByPerson(round) && !round.isTold;
const isUnnoticed = (round: KeysRound): boolean =>
  isMixed(round) && !round.isTold && !round.isNoted;
