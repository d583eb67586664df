import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import type { Injection, NativeRoute } from '../providers/way-in.ts';
import { readStartTime } from '../shared/processes.ts';
import { whileItRuns } from './while-it-runs.ts';

test('a helper that outlives its agent is given nothing: the process counts, also at the last moment', async () => {
  const child = spawn('sleep', ['600'], { stdio: 'ignore' });
  await once(child, 'spawn');
  const pid = child.pid ?? 0;
  const { route, taken } = openRoute();
  const native = whileItRuns(route, { pid, startedAt: readStartTime(pid) ?? '' });
  expect(native.blocked()).toBeUndefined();
  expect(await native.inject(injection)).toEqual({ outcome: 'taken' });
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(native.blocked()).toEqual({ code: 'process-ended' });
  expect(await native.inject(injection)).toMatchObject({ outcome: 'refused' });
  expect(taken).toHaveLength(1);
});

test('an agent that ends while the ledger is asked is given nothing, and its queue is not released', async () => {
  const child = spawn('sleep', ['600'], { stdio: 'ignore' });
  await once(child, 'spawn');
  const pid = child.pid ?? 0;
  const { route, taken } = openRoute();
  let released = 0;
  const release = async () => void released++;
  const native = whileItRuns({ ...route, release }, { pid, startedAt: readStartTime(pid) ?? '' });
  await native.release?.();
  const begin = async () => {
    child.kill('SIGKILL');
    await once(child, 'exit');
    return true;
  };
  expect(await native.inject({ ...injection, begin })).toMatchObject({ outcome: 'refused' });
  await native.release?.();
  expect([taken.length, released]).toEqual([0, 1]);
});

test('what the route says itself is passed on, and what it cannot do stays out', async () => {
  const { route } = openRoute('its server is gone');
  const native = whileItRuns(route, { pid: process.pid, startedAt: '' });
  expect(native.blocked()).toEqual({ code: 'native-blocked', why: 'its server is gone' });
  expect([native.release, native.withdraw]).toEqual([undefined, undefined]);
  const more = whileItRuns(
    { ...route, release: async () => undefined, withdraw: async () => 'withdrawn' },
    { pid: process.pid, startedAt: '' },
  );
  await more.release?.();
  expect(await more.withdraw?.({} as never)).toBe('withdrawn');
});

const injection: Injection = {
  mark: 'm',
  at: 0,
  text: 'hello',
  begin: async () => true,
  signal: new AbortController().signal,
};

function openRoute(blocked?: string): { route: NativeRoute; taken: string[] } {
  const taken: string[] = [];
  const route: NativeRoute = {
    blocked: () => blocked,
    inject: async ({ text, begin }) => {
      if (!(await begin())) return { outcome: 'refused', reason: 'too late' };
      taken.push(text);
      return { outcome: 'taken' };
    },
    close: () => undefined,
  };
  return { route, taken };
}
