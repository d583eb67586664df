import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempHome } from '../../test/support/home.ts';
import { Book } from './book.ts';
import type { Open } from './remember.ts';

const cause = {
  kind: 'question',
  ...{ agent: { id: 'agt_a', name: 'a' }, epoch: 1, since: 5, text: 'Proceed?', isKnown: true },
  next: 'signalbox attach a',
} as const;
const told: Open = { cause, lastSince: 5, seenAtMs: 1, lastSeenAtMs: 2, told: ['desktop'] };
const nothing = { open: [], mail: undefined, running: [] };

test('what was told is there for the next daemon, and what was not told is not', () => {
  const path = join(tempHome(), 'attention.json');
  const untold = { ...told, told: [] };
  new Book(path).write({ open: [told, untold], mail: 7, running: ['A=1'] });
  const { open, mail, running } = new Book(path).read();
  expect([mail, running]).toEqual([7, ['A=1']]);
  // Its monotonic times were another process's.
  expect(open).toEqual([{ ...told, seenAtMs: Number.POSITIVE_INFINITY, lastSeenAtMs: undefined }]);
});

test.each([
  ['no file', undefined],
  ['half a file', '{"form":1,"open":[{"cau'],
  ['another version', '{"form":2,"open":[]}'],
  ['another shape', '{"form":1,"open":[{"told":3}]}'],
  ['no object', 'null'],
  ['an earlier form of what runs', '{"form":1,"open":[],"isRunning":true}'],
])('%s counts for nothing', (_, text) => {
  const path = join(tempHome(), 'attention.json');
  if (text !== undefined) writeFileSync(path, text);
  expect(new Book(path).read()).toEqual(nothing);
});

test('what cannot be written is said, and the old one stays', () => {
  const path = join(tempHome(), 'attention.json');
  const book = new Book(path);
  book.write({ ...nothing, mail: 1 });
  mkdirSync(`${path}.new-${process.pid}`);
  expect(() => book.write({ ...nothing, mail: 2 })).toThrow(/EISDIR/);
  expect(readFileSync(path, 'utf8')).toContain('"mail":1');
});
