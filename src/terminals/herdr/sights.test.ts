import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ManualClock } from '../../../test/fakes/manual-clock.ts';
import { Notes } from './notes.ts';
import type { HerdrParts } from './parts.ts';
import { joinScreen } from './screen.ts';
import { Missing, sightTerminals } from './sights.ts';

test('B7, B10: gone is what two looks at least two seconds apart have missed, without a sight between', () => {
  const missing = new Missing();
  expect(missing.isGone('t', false, 1000)).toBe(false);
  expect(missing.isGone('t', false, 2900)).toBe(false);
  expect(missing.isGone('t', true, 2950)).toBe(false);
  expect(missing.isGone('t', false, 3100)).toBe(false);
  expect(missing.isGone('t', false, 5000)).toBe(false);
  expect(missing.isGone('t', false, 5100)).toBe(true);
});

test('B10: a time in which herdr could not be asked counts for nothing', () => {
  const missing = new Missing();
  missing.isGone('t', false, 1000);
  expect(missing.hasDoubts).toBe(true);
  missing.forget();
  expect(missing.hasDoubts).toBe(false);
  expect(missing.isGone('t', false, 9000)).toBe(false);
});

test.each([
  ['one\ntwo', 'one\ntwo', 'one\ntwo'],
  ['old\na long line', 'a long\nline', 'old\na long line'],
  ['old', 'new', 'old\nnew'],
  ['', 'screen', 'screen'],
  ['all', '', 'all'],
])('scrollback %j and screen %j are %j', (recent, visible, whole) => {
  expect(joinScreen(recent, visible)).toBe(whole);
});

test('one that was closed while it was missing is in doubt no more', () => {
  const missing = new Missing();
  missing.isGone('closed', false, 1000);
  missing.isGone('noted', false, 1000);
  missing.keep(new Set(['noted']));
  expect(missing.isGone('noted', false, 9000)).toBe(true);
  missing.forget('noted');
  expect(missing.hasDoubts).toBe(false);
});

test('a host that lives is waited for, but not for ever, before an end without a code is told', () => {
  const missing = new Missing();
  expect(missing.isAwaited('t', true, 1000)).toBe(true);
  expect(missing.hasDoubts).toBe(true);
  expect(missing.isAwaited('t', true, 15_900)).toBe(true);
  expect(missing.isAwaited('t', true, 16_000)).toBe(false);
  expect(missing.hasDoubts).toBe(false);
  expect(missing.isAwaited('t', false, 16_100)).toBe(false);
  expect(missing.hasDoubts).toBe(false);
  expect(missing.isAwaited('t', true, 20_000)).toBe(true);
});

test('of many hosts that say nothing one look waits for all at once, a second at most', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-sights-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const clock = new ManualClock();
  const notes = new Notes(folder, clock);
  const panes = new Map();
  for (let i = 0; i < 8; i++) {
    const life = { agent: `agt_${i}`, epoch: 1, helper: '' };
    const note = notes.begin(life, 'socket', { env: '', keep: '' });
    notes.found(note, `t${i}`, 'another start');
    // The program has ended, and its host, which lives, has not said how.
    writeFileSync(join(note.folder, 'pid'), '2147483646\n');
    writeFileSync(join(note.folder, 'host'), `${process.pid}\n`);
    panes.set(`t${i}`, { terminal: `t${i}`, pane: `p${i}`, title: '' });
  }
  const parts = { notes, clock, place: { socket: 'socket' } } as unknown as HerdrParts;
  const looking = sightTerminals(parts, new Missing(), { panes } as never);
  let seen: Awaited<typeof looking> | undefined;
  void looking.then((sights) => {
    seen = sights;
  });
  for (let ms = 0; ms < 1000 && !seen; ms += 5) await clock.pass(5);
  await clock.pass(5);
  expect(seen?.map(({ isAlive }) => isAlive)).toEqual(Array.from({ length: 8 }, () => true));
});
