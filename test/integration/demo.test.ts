import type { ChildProcess } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import type { DemoOutcome } from '../../src/demo/demo.ts';
import { type RunOptions, sbx, start, waitForEnd } from '../support/cli.ts';
import { tempHome } from '../support/home.ts';

test('O3, rule 16: killed in every crash window and at random, the demo loses, doubles and misplaces nothing', async () => {
  const options = stage();
  const ended = await sbx(['demo', '--seconds', '2', '--json'], options);
  expect(ended).toMatchObject({ code: 0, stderr: '' });
  const { account, kills, windows, repeats, failures } = ended.json<DemoOutcome>();
  expect(account).toMatchObject({ lost: 0, doubled: 0, misplaced: 0 });
  expect(account.accepted).toBeGreaterThan(0);
  expect(account.settled).toBe(account.accepted);
  expect(Object.keys(windows).sort()).toEqual([
    'demo.received',
    'demo.sent',
    'drain.claimed',
    'drain.injected',
  ]);
  for (const hits of Object.values(windows)) expect(hits).toBeGreaterThan(0);
  expect(kills).toBeGreaterThan(Object.keys(windows).length);
  // Three of the windows leave messages that come again, and a copy that comes again is marked.
  expect(repeats).toBeGreaterThan(0);
  expect(failures).toBe(0);
  expect(readdirSync(options.folder)).toEqual([]);
});

test('the timeline shows every kill and ends with the account, from any folder, with stdout a pipe', async () => {
  const options = stage();
  const elsewhere = ['sh', '-c', 'cd / && exec "$@"', 'sh'];
  const ended = await sbx(['demo', '--seconds', '1'], { ...options, wrapper: elsewhere });
  expect(ended).toMatchObject({ code: 0, stderr: '' });
  const [timeline = '', account = ''] = ended.stdout.split(/(?=\n {2}accepted)/);
  expect(account).toMatch(/^\n {2}accepted +\d+ .*\n {2}settled +\d+ /);
  expect(account).toMatch(/\n {2}lost +0 .*\n {2}doubled +0 .*\n {2}misplaced +0 /);
  expect(account).toContain('counted from what the programs received');
  const kills = Number(/\n {2}kills +(\d+) /.exec(account)?.[1]);
  expect(kills).toBeGreaterThan(0);
  expect(timeline.match(/✗/g)).toHaveLength(kills);
  expect(ended.stdout).not.toContain('\u001b');
  expect(readdirSync(options.folder)).toEqual([]);
});

test('Ctrl-C ends every program of the demo and removes its folder', async () => {
  const options = stage();
  const child = start(['demo', '--seconds', '600'], options);
  const ended = waitForEnd(child);
  const pids = await readPids(child);
  child.kill('SIGINT');
  expect(await ended).toMatchObject({ code: 130, stderr: expect.stringContaining('interrupted') });
  expect(pids.filter(isAlive)).toEqual([]);
  expect(readdirSync(options.folder)).toEqual([]);
});

test('a demo that is itself killed with -9 leaves no program behind', async () => {
  const child = start(['demo', '--seconds', '600'], stage());
  const ended = waitForEnd(child);
  const pids = await readPids(child);
  child.kill('SIGKILL');
  expect(await ended).toMatchObject({ signal: 'SIGKILL' });
  while (pids.some(isAlive)) await delay(10);
});

test('a reader that goes away ends the demo, and nothing is left', async () => {
  const options = stage();
  const child = start(['demo', '--seconds', '600'], options);
  const ended = waitForEnd(child);
  const pids = await readPids(child);
  child.stdout?.destroy();
  expect(await ended).toMatchObject({ code: 1, stderr: expect.stringContaining('output') });
  expect(pids.filter(isAlive)).toEqual([]);
  expect(readdirSync(options.folder)).toEqual([]);
});

test('a time that is no time is refused as usage', async () => {
  for (const text of ['0', '-1', '1.5', 'long', '3601']) {
    const ended = await sbx(['demo', '--seconds', text, '--json'], stage());
    expect(ended.code).toBe(2);
    expect(ended.json()).toMatchObject({ error: { code: 'usage' } });
  }
});

/** The demo's own folder lies in this one, so that a test can tell whether it is gone. */
function stage(): RunOptions & { readonly folder: string } {
  const folder = tempHome();
  return { home: tempHome(), folder, env: { TMPDIR: folder } };
}

/** The pids of its four programs, as it shows them. */
async function readPids(child: ChildProcess): Promise<readonly number[]> {
  onTestFinished(() => void child.kill('SIGKILL'));
  let shown = '';
  child.stdout?.on('data', (chunk: Buffer) => {
    shown += chunk.toString();
  });
  const pids = (): readonly number[] =>
    [...shown.matchAll(/started, pid (\d+)/g)].map(([, pid]) => Number(pid));
  while (pids().length < 4) {
    if (child.exitCode !== null) throw new Error(`it ended too early: ${shown}`);
    await delay(5);
  }
  return pids();
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    // A zombie whose parent has not reaped it is gone for all purposes.
    return (
      process.platform !== 'linux' ||
      !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
    );
  } catch {
    return false;
  }
}
