import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { noteBug, readBugNotes } from './bug-notes.ts';

const day = 24 * 3_600_000;
let folder: string;
let path: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'signalbox-bugs-'));
  path = join(folder, 'caught-errors.jsonl');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('the notes of a day are counted, the first is told, and secrets are not in them', () => {
  expect(readBugNotes(path, day)).toBeUndefined();
  noteBug(path, { place: 'old', error: new Error('long ago'), times: 1 }, 1);
  const error = new TypeError('no token=x in API_KEY=abcdef');
  for (const times of [1, 2, 4]) noteBug(path, { place: 'a fold', error, times }, 2 * day);
  noteBug(path, { place: 'a look', error: 'text', times: 1 }, 2 * day);
  expect(readBugNotes(path, 2 * day)).toEqual({
    times: 5,
    first: expect.objectContaining({
      place: 'a fold',
      error: 'TypeError: no token=x in API_KEY=[redacted]',
    }),
  });
  expect(readFileSync(path, 'utf8')).not.toContain('abcdef');
});

test('it begins anew before it grows large, and what is no note is passed over', () => {
  writeFileSync(path, `{"half\n${'x'.repeat(300_000)}\n`);
  noteBug(path, { place: 'a fold', error: new Error('x'), times: 1 }, 5);
  expect(readBugNotes(path, 5)?.times).toBe(1);
  expect(readFileSync(path).length).toBeLessThan(1000);
});

test('below a file there are no notes; ones that cannot be read are an error, not none', () => {
  writeFileSync(join(folder, 'a file'), '');
  expect(readBugNotes(join(folder, 'a file', 'notes.jsonl'), 0)).toBeUndefined();
  expect(() => readBugNotes(folder, 0)).toThrow('EISDIR');
});
