import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { systemClock } from '../../shared/clock.ts';
import { type Note, Notes, readEnding } from './notes.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sbx-notes-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const life = { agent: 'agt_1', epoch: 2, helper: '' };
const files = { env: 'A\nb\n', keep: '' };

test('B3: what was noted is known again by the next one', () => {
  const notes = new Notes(folder, systemClock);
  const begun = notes.begin(life, '/sock', files);
  expect(new Notes(folder, systemClock).all()).toEqual([begun]);
  const found = notes.found(begun, 'term_1', '77');
  const helper = notes.begin({ ...life, helper: 'app server' }, '/sock', files);
  const next = new Notes(folder, systemClock);
  expect(next.find(life)).toEqual(found);
  expect(next.find({ ...life, helper: 'app server' })).toEqual(helper);
  expect(next.find({ ...life, epoch: 3 })).toBeUndefined();
});

test('what is forgotten is gone, also twice, and half a note is none', () => {
  const notes = new Notes(folder, systemClock);
  const begun = notes.begin(life, '/sock', files);
  notes.forget(begun);
  notes.forget(begun);
  // Found by a look that was on its way while it was closed.
  expect(notes.seenAt(begun, 'pane_7').pane).toBe('pane_7');
  expect(new Notes(folder, systemClock).all()).toEqual([]);
  const broken = join(folder, 'terminals', 'agt_9-1');
  mkdirSync(broken, { recursive: true });
  writeFileSync(join(broken, 'note.json'), '{"agent":"agt_9"');
  expect(new Notes(folder, systemClock).all()).toEqual([]);
});

test('what was being forgotten when we died is forgotten by the next one', () => {
  const begun = new Notes(folder, systemClock).begin(life, '/sock', files);
  renameSync(begun.folder, `${begun.folder}~`);
  expect(new Notes(folder, systemClock).all()).toEqual([]);
  expect(existsSync(`${begun.folder}~`)).toBe(false);
});

test('an end that is not written whole is no end yet', () => {
  const note: Note = new Notes(folder, systemClock).begin(life, '/sock', files);
  expect(readEnding(note)).toBeUndefined();
  writeFileSync(join(note.folder, 'exit'), '1');
  expect(readEnding(note)).toBeUndefined();
  writeFileSync(join(note.folder, 'exit'), '12\n');
  expect(readEnding(note)).toEqual({ exitCode: 12 });
});
