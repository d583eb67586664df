import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempHome } from '../../test/support/home.ts';
import { waitUntil } from '../../test/support/wait-until.ts';
import { type Clock, systemClock } from '../shared/clock.ts';
import { listTree } from '../shared/process-tree.ts';
import { type Brief, runBriefly } from './run-briefly.ts';

let count = 0;

/** Real processes, each marked by a name of its own. */
function run(script: string, more: Partial<Brief> = {}, clock: Clock = systemClock) {
  const value = `${process.pid}-${count++}`;
  const mark = `SIGNALBOX_TEST_BRIEF=${value}`;
  const ran = runBriefly(clock, {
    argv: ['/bin/sh', '-c', script],
    env: { PATH: process.env['PATH'] ?? '', SIGNALBOX_TEST_BRIEF: value },
    ...{ mark, input: '', limitMs: 60_000, over: new AbortController().signal, ...more },
  });
  return { ran, left: () => listTree(undefined, [mark]) };
}

test('a program gets its input and is done', async () => {
  const file = join(tempHome(), 'got');
  const { ran } = run(`cat > '${file}'`, { input: '{"items":[]}\n' });
  expect(await ran).toEqual({ outcome: 'done' });
  expect(readFileSync(file, 'utf8')).toBe('{"items":[]}\n');
});

test('one that fails is told with its code and its words; one that is not there, too', async () => {
  expect(await run('echo "no token" >&2; exit 3').ran).toEqual({
    outcome: 'failed',
    why: 'exit code 3: no token',
  });
  expect(await run('', { argv: ['/nowhere/at-all'] }).ran).toMatchObject({
    outcome: 'failed',
    why: expect.stringContaining('ENOENT'),
  });
});

test('one that hangs is ended with all that it started, also what left its group', async () => {
  const script = 'trap "" TERM; setsid sleep 600 & sleep 601 & sleep 602';
  const { ran, left } = run(script, { limitMs: 300 });
  expect(await ran).toEqual({ outcome: 'timed-out', why: 'still running after 0.3 s' });
  expect(left()).toEqual([]);
});

test('a flood on stdout goes nowhere, and one on stderr is ended', async () => {
  expect(await run('head -c 50000000 /dev/zero').ran).toEqual({ outcome: 'done' });
  const { ran, left } = run('while :; do echo "0123456789 0123456789"; done >&2');
  const flooded = await ran;
  expect(flooded).toMatchObject({ outcome: 'flooded' });
  expect('why' in flooded ? flooded.why.length : 0).toBeLessThan(2100);
  expect(left()).toEqual([]);
});

test('the end of the daemon ends it', async () => {
  const over = new AbortController();
  const file = join(tempHome(), 'begun');
  const { ran, left } = run(`: > '${file}'; sleep 600`, { over: over.signal });
  await waitUntil('it to begin', () => existsSync(file));
  over.abort();
  expect(await ran).toEqual({ outcome: 'cut-off', why: 'the daemon ended' });
  expect(left()).toEqual([]);
});

test('after the end of the daemon nothing begins', async () => {
  const file = join(tempHome(), 'begun');
  const { ran, left } = run(`: > '${file}'; sleep 600`, { over: AbortSignal.abort() });
  expect(await ran).toEqual({ outcome: 'cut-off', why: 'the daemon ended' });
  expect([existsSync(file), left()]).toEqual([false, []]);
});

test('of its words the first 2000 bytes are told, in whole characters', async () => {
  const { ran } = run(`head -c 1999 /dev/zero | tr '\\0' x >&2; printf '\\303\\251' >&2; exit 3`);
  expect(await ran).toEqual({ outcome: 'failed', why: `exit code 3: ${'x'.repeat(1999)}` });
});

test('where its processes cannot be looked at, its own group is ended and the path goes on', async () => {
  const blind = Object.assign(new Error('too many open files'), { code: 'EMFILE' });
  // Only the waits of those who look after processes have no signal.
  const clock: Clock = {
    ...systemClock,
    sleep: (ms, signal) => (signal ? systemClock.sleep(ms, signal) : Promise.reject(blind)),
  };
  const script = 'trap "" TERM; sleep 601 & sleep 602';
  const { ran, left } = run(script, { limitMs: 300 }, clock);
  expect(await ran).toEqual({
    outcome: 'timed-out',
    why: 'still running after 0.3 s; what it has started may still run (too many open files)',
  });
  await waitUntil('its group to be gone', () => left().length === 0);
});
