import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test, vi } from 'vitest';
import { ManualClock } from '../../test/fakes/manual-clock.ts';
import { readStartTime } from '../shared/processes.ts';
import type { Look } from '../terminals/backend.ts';
import { type Continued, continueGroup, looksSuspended, Suspended } from './suspended.ts';

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
  const said: string[] = [];
  const outcome = { next: 'continued' as Continued | Error };
  const proceed = (): Continued => {
    signals++;
    if (outcome.next instanceof Error) throw outcome.next;
    return outcome.next;
  };
  const suspended = new Suspended(clock, proceed, (what) => void said.push(what));
  return { clock, suspended, outcome, said, count: () => signals };
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

test('rule 42: it is tried ever more seldom for as long as it takes, not where no person is, nor after its end', async () => {
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
  expect(count()).toBe(5);
  for (let i = 0; i < 10 * 60; i++) await clock.pass(1000);
  expect(count()).toBe(15);
  suspended.note(lookAt(['> ']));
  await clock.pass(60_000);
  expect(count()).toBe(15);
  suspended.note(lookAt(opencode));
  suspended.close();
  await clock.pass(60_000);
  expect(count()).toBe(15);
});

test('rule 41: one that has ended is left alone, one of another user is told of, and an error of the system is tried again', async () => {
  const { clock, suspended, outcome, said, count } = open();
  const spell = async (next: Continued | Error) => {
    outcome.next = next;
    const before = count();
    suspended.note(lookAt(['> ']));
    await clock.pass(1);
    suspended.note(lookAt(claude));
    for (let i = 0; i < 5; i++) await clock.pass(1000);
    return count() - before;
  };
  expect(await spell('gone')).toBe(1);
  expect(said).toEqual([]);
  expect(await spell('refused')).toBe(1);
  expect(said).toEqual([expect.stringContaining('another user')]);
  const busy = Object.assign(new Error('EMFILE: too many open files'), { code: 'EMFILE' });
  expect(await spell(busy)).toBe(3);
  expect(said).toHaveLength(1);
});

test('rule 42: a signal goes to the process that it is meant for, and never to another of the same number', async () => {
  const child = spawn(process.execPath, ['-e', program], { detached: true, stdio: 'pipe' });
  onTestFinished(() => void child.kill('SIGKILL'));
  const { pid = 0 } = child;
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  expect((await lines.next()).value).toBe('ready');
  const startedAt = readStartTime(pid) ?? '';
  expect(continueGroup({ pid, startedAt: `${startedAt}0` })).toBe('gone');
  expect(continueGroup({ pid: 1, startedAt: readStartTime(1) ?? '' })).toBe('gone');
  expect(continueGroup({ pid, startedAt })).toBe('continued');
  // The first signal that it got was the last one sent.
  expect((await lines.next()).value).toBe('continued 1');
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(continueGroup({ pid, startedAt })).toBe('gone');
});

test.each([
  ['EPERM', 'refused'],
  ['ESRCH', 'gone'],
  ['EINVAL', 'an error'],
] as const)(
  'rule 41: what the system says to the signal is told apart: %s is %s',
  (code, outcome) => {
    const kill = vi.spyOn(process, 'kill').mockImplementation(() => {
      throw Object.assign(new Error(code), { code });
    });
    onTestFinished(() => kill.mockRestore());
    const self = { pid: process.pid, startedAt: readStartTime(process.pid) ?? '' };
    if (outcome === 'an error') expect(() => continueGroup(self)).toThrow(code);
    else expect(continueGroup(self)).toBe(outcome);
    expect(kill).toHaveBeenCalledWith(-process.pid, 'SIGCONT');
  },
);

const program = `
let n = 0;
process.on('SIGCONT', () => console.log('continued ' + ++n));
setInterval(() => undefined, 60_000);
console.log('ready');
`;
