import {
  linkSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { FakeClock } from '../../../test/fakes/clock.ts';
import { putUp } from './put-up.ts';

let home = '';
let settings = '';
const text = '{ "model": "opus" }\n';

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'signalbox-put-up-'));
  mkdirSync(join(home, '.claude'));
  settings = join(home, '.claude', 'settings.json');
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

function write(path = settings): void {
  writeFileSync(path, text);
  utimesSync(path, 1000, 2000);
}

const cannot = (why: string) => ({ outcome: 'cannot', why: expect.stringContaining(why) });

test('rule 53: the user’s settings get a new modification time, and nothing else of them changes', async () => {
  write();
  expect(await putUp({ env: { HOME: home } })).toEqual({ outcome: 'asked' });
  const { mtimeMs, atimeMs } = statSync(settings);
  expect(mtimeMs).toBeGreaterThan(Date.now() - 60_000);
  expect(atimeMs).toBe(1_000_000);
  expect(readFileSync(settings, 'utf8')).toBe(text);
});

test('rule 53: of two that ask within one change of Claude Code’s, the second changes nothing; a later one does', async () => {
  write();
  const clock = new FakeClock();
  await putUp({ env: { HOME: home } }, clock);
  const first = statSync(settings).mtimeMs;
  clock.pass(1000);
  expect(await putUp({ env: { HOME: home } }, clock)).toEqual({ outcome: 'asked' });
  expect(statSync(settings).mtimeMs).toBe(first);
  clock.pass(1000);
  await putUp({ env: { HOME: home } }, clock);
  expect(statSync(settings).mtimeMs).toBeGreaterThan(first);
});

test('rules 5, 53: a clock that is set back leaves no agent deaf until it has caught up', async () => {
  write();
  const clock = new FakeClock();
  await putUp({ env: { HOME: home } }, clock);
  const first = statSync(settings).mtimeMs;
  clock.setWall(clock.now() - 3_600_000);
  clock.pass(15_000);
  await putUp({ env: { HOME: home } }, clock);
  expect(statSync(settings).mtimeMs).not.toBe(first);
});

test('CLAUDE_CONFIG_DIR names the folder whose settings count', async () => {
  write();
  const other = join(home, 'elsewhere');
  mkdirSync(other);
  write(join(other, 'settings.json'));
  expect(await putUp({ env: { HOME: home, CLAUDE_CONFIG_DIR: other } })).toEqual({
    outcome: 'asked',
  });
  expect(statSync(settings).mtimeMs).toBe(2_000_000);
  expect(statSync(join(other, 'settings.json')).mtimeMs).toBeGreaterThan(2_000_000);
});

test('rule 53: settings that are not there are not made', async () => {
  expect(await putUp({ env: { HOME: home } })).toEqual(cannot('there is no'));
  expect(statSync(settings, { throwIfNoEntry: false })).toBeUndefined();
});

test('rule 53: settings that are a link, symbolic or hard, are left alone', async () => {
  const real = join(home, 'dotfiles.json');
  write(real);
  symlinkSync(real, settings);
  expect(await putUp({ env: { HOME: home } })).toEqual(cannot('is a link'));
  rmSync(settings);
  linkSync(real, settings);
  expect(await putUp({ env: { HOME: home } })).toEqual(cannot('is a link'));
  expect(statSync(real).mtimeMs).toBe(2_000_000);
});

test('rule 53: settings inside a repository are left alone, also where the folder is a link into one', async () => {
  write();
  mkdirSync(join(home, '.git'));
  expect(await putUp({ env: { HOME: home } })).toEqual(cannot('is in a repository'));
  expect(statSync(settings).mtimeMs).toBe(2_000_000);

  const other = mkdtempSync(join(tmpdir(), 'signalbox-put-up-'));
  try {
    symlinkSync(join(home, '.claude'), join(other, '.claude'));
    expect(await putUp({ env: { HOME: other } })).toEqual(cannot('is in a repository'));
    expect(statSync(settings).mtimeMs).toBe(2_000_000);
  } finally {
    rmSync(other, { recursive: true, force: true });
  }
});

test('rule 41: where a repository cannot be looked for, there may be one', async () => {
  const folder = join(home, 'x'.repeat(200), 'y'.repeat(200));
  mkdirSync(folder, { recursive: true });
  write(join(folder, 'settings.json'));
  // A link to itself, where a repository's folder would be: looking there fails.
  symlinkSync('.git', join(folder, '.git'));
  expect(await putUp({ env: { CLAUDE_CONFIG_DIR: folder } })).toEqual(cannot('is in a repository'));
});
