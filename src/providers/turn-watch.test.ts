import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { waitFor } from '../../test/support/wait-for.ts';
import { type CaughtBug, keepBugs } from '../shared/report-bug.ts';
import { openTurnWatch, type TurnWatch } from './turn-watch.ts';

let folder: string;
let watch: TurnWatch | undefined;
let told: string[];
let onTold: (end: string) => void;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'signalbox-turns-'));
  told = [];
  onTold = () => undefined;
});
afterEach(() => {
  watch?.close();
  rmSync(folder, { recursive: true, force: true });
});

test('rule 26: ends of this life are told as they are written, in the conversation that it is in', async () => {
  writeFileSync(path('one'), 'old 5\nt1 10\n');
  open('one');
  await until('one t1');
  appendFileSync(path('one'), 't2 11\n');
  await until('one t2');
  // /clear: the new conversation's file comes with its first prompt.
  watch?.follow('two');
  writeFileSync(path('two'), 't1 12\n');
  watch?.check();
  await until('two t1');
  expect(told).toEqual(['one t1', 'one t2', 'two t1']);
});

test('rule 26: an end is told although the conversation was left at once, or left again before it was read', async () => {
  writeFileSync(path('one'), 't1 10\n');
  writeFileSync(path('two'), 't1 11\n');
  writeFileSync(path('three'), 't1 12\n');
  open('one');
  watch?.follow('two');
  watch?.follow('three');
  await until('three t1');
  expect(told).toEqual(['one t1', 'two t1', 'three t1']);
});

test('rule 26: after a restart of ours all of this life are told again, the same', async () => {
  writeFileSync(path('one'), 't1 10\nt2 11\n');
  open('one');
  await until('one t2');
  watch?.close();
  open('one');
  await waitFor(() => expect(told).toHaveLength(4));
  expect(told.slice(2)).toEqual(told.slice(0, 2));
});

test('rules 5, 26: an end that is written before our eyes is told, also when the clock was set back since this life began', async () => {
  writeFileSync(path('one'), 'old 5\n');
  open('one');
  watch?.follow('two');
  writeFileSync(path('two'), 'old 6\nt1 10\n');
  watch?.check();
  await until('two t1');
  appendFileSync(path('two'), 't2 7\n');
  await until('two t2');
  expect(told).toEqual(['two t1', 'two t2']);
});

test('rules 5, 26: so is one that is written while the file is read for the first time', async () => {
  writeFileSync(path('one'), 'old 5\nt1 10\n');
  onTold = (end) => {
    if (end === 'one t1') appendFileSync(path('one'), 't2 7\n');
  };
  open('one');
  await until('one t2');
  expect(told).toEqual(['one t1', 'one t2']);
});

test('rule 26: a line that we fail at loses no end behind it, and the mistake is kept', async () => {
  const caught: CaughtBug[] = [];
  const end = keepBugs((bug) => caught.push(bug));
  writeFileSync(path('one'), 't1 10\nbroken 11\nt2 12\n');
  open('one');
  await until('one t2');
  expect(told).toEqual(['one t1', 'one t2']);
  expect(caught).toMatchObject([{ place: 'reading a turn end', times: 1 }]);
  end();
});

test('without a conversation nothing is read, and none is waited for', async () => {
  open(undefined);
  watch?.check();
  writeFileSync(path('one'), 't1 10\n');
  watch?.follow('one');
  await until('one t1');
});

function open(conversation: string | undefined): void {
  watch = openTurnWatch({
    locate: async (id) => path(id),
    createFold: () => (line) => {
      const [id = '', at] = line.toString().split(' ');
      if (id === 'broken') throw new TypeError('a mistake of ours');
      return { turn: { id, outcome: 'completed' }, at: Number(at) };
    },
    since: 10,
    conversation,
    report: ({ turnEnd }) => {
      const end = `${turnEnd?.session} ${turnEnd?.id}`;
      told.push(end);
      onTold(end);
    },
  });
}

function path(name: string): string {
  return join(folder, `${name}.jsonl`);
}

async function until(end: string): Promise<void> {
  await waitFor(() => expect(told.at(-1)).toBe(end));
}
