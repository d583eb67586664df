import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
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

const written = { form: 1, open: [told], mail: 7, running: [] };

test('without a file nothing was told, and no command was begun', () => {
  expect(new Book(join(tempHome(), 'attention.json')).read()).toEqual(nothing);
});

test.each([
  ['half a file', '{"form":1,"open":[{"cau'],
  ['another version', '{"form":2,"open":[]}'],
  ['no object', 'null'],
  ...damage().map((each) => [JSON.stringify(each), JSON.stringify({ ...written, ...each })]),
])('%s counts for nothing', (_, text = '') => {
  const path = join(tempHome(), 'attention.json');
  writeFileSync(path, text);
  expect(new Book(path).read()).toEqual(nothing);
});

test('one of an earlier form, which names nothing that runs, is read', () => {
  const path = join(tempHome(), 'attention.json');
  writeFileSync(path, '{"form":1,"open":[],"mail":3,"isRunning":true}');
  expect(new Book(path).read()).toEqual({ ...nothing, mail: 3 });
});

test('rule 41: one that cannot be read is not one that is missing', () => {
  const path = join(tempHome(), 'attention.json');
  symlinkSync(path, path);
  expect(() => new Book(path).read()).toThrow(/ELOOP/);
});

test('a message that was told keeps its number', () => {
  const path = join(tempHome(), 'attention.json');
  const message = { ...cause, kind: 'unread', message: { id: 'msg_1', seq: 4 } } as const;
  new Book(path).write({ ...nothing, open: [{ ...told, cause: message, notice: 'key' }] });
  expect(new Book(path).read().open).toMatchObject([{ cause: message, notice: 'key' }]);
});

test('what cannot be written is said, and the old one stays', () => {
  const path = join(tempHome(), 'attention.json');
  const book = new Book(path);
  book.write({ ...nothing, mail: 1 });
  mkdirSync(`${path}.new-${process.pid}`);
  expect(() => book.write({ ...nothing, mail: 2 })).toThrow(/EISDIR/);
  expect(readFileSync(path, 'utf8')).toContain('"mail":1');
});

/** Each of these would make every later look fail, or decide something. */
function damage(): readonly object[] {
  const of = (more: object) => ({ open: [{ ...told, ...more }] });
  const by = (more: object) => of({ cause: { ...cause, ...more } });
  return [
    ...[
      { mail: '7' },
      { mail: -1 },
      { mail: 1.5 },
      { running: 'no' },
      { running: [5] },
      { open: {} },
    ],
    ...[of({ told: 3 }), of({ told: ['pigeon'] }), of({ lastSince: '5' }), of({ notice: 5 })],
    ...[by({ kind: 'party' }), by({ agent: {} }), by({ agent: { id: 'agt_a' } })],
    ...[by({ epoch: '1' }), by({ since: null }), by({ text: 5 }), by({ isKnown: 1 })],
    ...[by({ next: undefined }), by({ typedAt: 'now' }), by({ message: { id: 'msg_1' } })],
  ];
}
