import { expect, test } from 'vitest';
import { ManualClock } from '../../test/fakes/manual-clock.ts';
import type { Look } from '../terminals/backend.ts';
import { looksSuspended, Suspended } from './suspended.ts';

const claude = [
  '',
  'Claude Code has been suspended. Run `fg` to bring Claude Code back.',
  'Note: ctrl + z now suspends Claude Code, ctrl + _ undoes input.',
  '',
];
const opencode = ['', '', ''];

function lookAt(lines: readonly string[], humanKeyAt: number | undefined = 7): Look {
  const key = humanKeyAt === undefined ? {} : { humanKeyAt };
  return { lines, title: '', columns: 80, rows: 24, isAlive: true, ...key };
}

function open() {
  const clock = new ManualClock();
  let signals = 0;
  const suspended = new Suspended(clock, () => {
    signals++;
  });
  return { clock, suspended, count: () => signals };
}

test.each([
  ['Claude Code 2.1.325', claude],
  ['Claude Code at the third time', [...claude, ...claude, ...claude]],
  ['Claude Code, to which somebody has typed', [...claude, 'hello?', '']],
  ['Copilot CLI 1.0.102', ['', 'Copilot has been suspended. Use `fg` to resume.', '']],
  ['OpenCode 1.18.33', opencode],
])('rule 42: the screen that %s leaves behind at Ctrl-Z is known', (_, lines) => {
  expect(looksSuspended({ lines })).toBe(true);
});

test('rule 42: an answer that tells of it is none', () => {
  const lines = ['> what is this?', ...claude, '───', '> ', '───', '  ? for shortcuts'];
  expect(looksSuspended({ lines })).toBe(false);
});

test('rule 42: a CLI that a person has suspended is continued until it draws again', async () => {
  const { clock, suspended, count } = open();
  suspended.note(lookAt(claude));
  suspended.note(lookAt(claude));
  expect(count()).toBe(0);
  await clock.pass(300);
  expect(count()).toBe(1);
  await clock.pass(1000);
  expect(count()).toBe(2);
  suspended.note(lookAt(['● hello', '> ']));
  await clock.pass(60_000);
  expect(count()).toBe(2);
  suspended.note(lookAt(claude));
  await clock.pass(300);
  expect(count()).toBe(3);
});

test('rule 42: it is not continued without end, where no person is, or after its end', async () => {
  const { clock, suspended, count } = open();
  suspended.note(lookAt(opencode, undefined));
  suspended.note({ ...lookAt(opencode), isAlive: false });
  for (let i = 0; i < 60; i++) await clock.pass(1000);
  expect(count()).toBe(0);
  suspended.note(lookAt(opencode));
  for (let i = 0; i < 60; i++) {
    await clock.pass(1000);
    suspended.note(lookAt(opencode));
  }
  expect(count()).toBe(4);
  suspended.note(lookAt(['> ']));
  suspended.note(lookAt(opencode));
  suspended.close();
  await clock.pass(60_000);
  expect(count()).toBe(4);
});
