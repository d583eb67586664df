import { expect, test } from 'vitest';
import { ManualClock } from '../../test/fakes/manual-clock.ts';
import { Waiters } from './waiters.ts';

const never = new AbortController().signal;
const offer = {
  route: 'native',
  isContinued: false,
  reply: (text: string) => ({ stderr: text, exitCode: 2 }),
} as const;

function open() {
  const dead = new Set<number>();
  const clock = new ManualClock();
  let changes = 0;
  const parts = { isAlive: (pid: number) => !dead.has(pid), surroundings: { clock } };
  const waiters = new Waiters(parts, () => {
    changes++;
  });
  return { waiters, dead, clock, changes: () => changes };
}

test('rule 53: a spare hook goes at once where another one of the same process waits, and stays where none does', async () => {
  const { waiters } = open();
  void waiters.wait({ pid: 7, offer }, never);
  expect(await waiters.wait({ pid: 7, offer, isSpare: true }, never)).toBe('dismissed');
  expect(waiters.blocked()).toBeUndefined();

  const alone = open();
  void alone.waiters.wait({ pid: 7, offer, isSpare: true }, never);
  expect(alone.waiters.blocked()).toBeUndefined();
});

test('rule 53: a spare hook takes the place of one that was killed, and of another process’s', async () => {
  const { waiters, dead } = open();
  const killed = waiters.wait({ pid: 7, hook: 70, offer }, never);
  dead.add(70);
  void waiters.wait({ pid: 7, hook: 71, offer, isSpare: true }, never);
  expect(await killed).toBe('dismissed');
  expect(waiters.blocked()).toBeUndefined();
  dead.add(7);
  void waiters.wait({ pid: 8, hook: 80, offer, isSpare: true }, never);
  expect(waiters.blocked()).toBeUndefined();
});

test('rule 53: a hook whose shell was killed is missed, although its curl keeps the connection', async () => {
  const { waiters, dead, clock, changes } = open();
  const killed = waiters.wait({ pid: 7, hook: 70, offer }, never);
  expect(changes()).toBe(1);
  dead.add(70);
  expect(waiters.blocked()).toEqual({ code: 'hook-killed' });
  await clock.pass(2000);
  expect(await killed).toBe('dismissed');
  expect(waiters.blocked()).toEqual({ code: 'hook-missing' });
  expect(changes()).toBe(2);
});

test('rule 53: a hook that goes is told of, also when it went because its connection ended', () => {
  const { waiters, changes } = open();
  const gone = new AbortController();
  void waiters.wait({ pid: 7, offer }, gone.signal);
  gone.abort();
  expect(changes()).toBe(2);
});
