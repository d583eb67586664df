import { spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../src/shared/clock.ts';
import { listTree } from '../../src/shared/process-tree.ts';
import { readStartTime } from '../../src/shared/processes.ts';
import { waitForEnd } from '../support/cli.ts';
import { waitUntil } from '../support/wait-until.ts';
import { HookStage, native, pathWithoutCurl } from './fixtures/hook-stage.ts';

const text = 'line "one"\n$(two) \\ three\n';
const waits = { waits: true } as const;
const silence = { code: 0, stdout: '', stderr: '' };

test.each([
  ['curl', false],
  ['Node', true],
])(
  'rule 22: by %s, it waits until it is told something, says it on stderr and ends with 2',
  async (_, isBare) => {
    const stage = await openWaiting();
    const env = isBare ? { PATH: pathWithoutCurl(stage.home) } : {};
    const child = stage.start('SessionStart', { payload: '{"a":1}', wish: waits, env });
    const ended = waitForEnd(child);
    await waitUntil('it waits', () => stage.server.hookDesk.waiters === 1);
    // Run by `exec`, it is a child of the CLI itself.
    expect(stage.server.hookDesk.waiting[0]?.waiter.pid).toBe(process.pid);
    expect(stage.server.fleet.hooks[0]?.body).toEqual({ a: 1 });
    stage.server.hookDesk.wake(text);
    expect(await ended).toMatchObject({ code: 2, stdout: '', stderr: text });
    expect(stage.server.hookDesk.confirmed).toEqual(['say_1']);
  },
);

test('rule 22: a CLI that runs since before an upgrade has an older command, and is woken by it', async () => {
  const stage = await openWaiting();
  const ended = stage.run('Stop', { command: `exec ${stage.script} wait Stop` });
  await waitUntil('it waits', () => stage.server.hookDesk.waiters === 1);
  stage.server.hookDesk.wake(text);
  expect(await ended).toMatchObject({ code: 2, stdout: '', stderr: text });
});

test('rule 16: refused, it says nothing and waits on; dismissed, it ends', async () => {
  const stage = await openWaiting();
  const ended = stage.run('Stop', { wish: waits });
  const { hookDesk } = stage.server;
  await waitUntil('it waits', () => hookDesk.waiters === 1);
  hookDesk.isConfirmable = false;
  hookDesk.wake('never');
  await waitUntil('it waits again', () => hookDesk.waiters === 1);
  expect(hookDesk.confirmed).toEqual(['say_1']);
  hookDesk.dismiss();
  expect(await ended).toMatchObject(silence);
});

test('rule 38: of a life that is over, it ends', async () => {
  const stage = await openWaiting();
  const ended = await stage.run('Stop', { wish: waits, env: { SIGNALBOX_TOKEN: 'old' } });
  expect(ended).toMatchObject(silence);
});

test('rule 23: a daemon that is lost is awaited, and what the next one says is said', async () => {
  const stage = await openWaiting();
  const ended = stage.run('Stop', { wish: waits });
  await waitUntil('it waits', () => stage.server.hookDesk.waiters === 1);
  await stage.close();
  await stage.listen();
  await waitUntil('it waits again', () => stage.server.hookDesk.waiting.length === 2);
  stage.server.hookDesk.wake(text);
  expect(await ended).toMatchObject({ code: 2, stderr: text });
});

test('rule 23: an orphan takes no message', async () => {
  const stage = await openWaiting();
  const { hookDesk } = stage.server;
  // The CLI: it runs the hook, and is killed.
  const cli = spawn('/bin/sh', ['-c', 'sh -c "$0" & echo $!; wait', stage.command('Stop', waits)], {
    env: stage.env,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const hook = await new Promise<number>((done) => {
    cli.stdout.once('data', (data: Buffer) => done(Number(data.toString())));
  });
  onTestFinished(() => endAll(hook));
  await waitUntil('it waits', () => hookDesk.waiters === 1);
  expect(hookDesk.waiting[0]?.waiter.pid).toBe(cli.pid);
  cli.kill('SIGKILL');
  await waitUntil('the end of the CLI', () => readStartTime(cli.pid ?? 0) === undefined);
  hookDesk.wake('never');
  await waitUntil('its end', () => readStartTime(hook) === undefined);
  expect(hookDesk.confirmed).toEqual([]);
});

test('rule 23: whoever was woken too often waits before it asks again, and a wake is counted', async () => {
  const stage = await openWaiting();
  const { hookDesk } = stage.server;
  const now = Math.floor(systemClock.now() / 1000);
  writeFileSync(stage.wakesPath, `${now} 20\n`);
  const child = stage.start('Stop', { wish: waits });
  const ended = waitForEnd(child);
  const isAsleep = () => commandsBelow(child.pid ?? 0).some((line) => line.startsWith('sleep'));
  await waitUntil('it sleeps', isAsleep);
  expect(hookDesk.waiting).toEqual([]);
  endAll(child.pid ?? 0);
  await ended;

  writeFileSync(stage.wakesPath, `${now} 7\n`);
  const next = stage.run('Stop', { wish: waits });
  await waitUntil('it waits', () => hookDesk.waiters === 1);
  hookDesk.wake(text);
  expect((await next).code).toBe(2);
  expect(readFileSync(stage.wakesPath, 'utf8')).toMatch(/^\d+ (8|1)\n$/);
});

test('an unreadable count of wakes, or no run folder, is no reason not to wait', async () => {
  const stage = await openWaiting();
  const { hookDesk } = stage.server;
  writeFileSync(stage.wakesPath, 'garbage; rm -rf /\n\n');
  for (const env of [{}, { SIGNALBOX_EPOCH: '2' }]) {
    const ended = stage.run('Stop', { wish: waits, env });
    await waitUntil('it waits', () => hookDesk.waiters === 1);
    hookDesk.wake(text);
    expect(await ended).toMatchObject({ code: 2, stderr: text });
  }
  expect(existsSync(stage.wakesPath)).toBe(true);
});

async function openWaiting(): Promise<HookStage> {
  const stage = await HookStage.open();
  stage.server.fleet.offer = native;
  return stage;
}

function below(pid: number): readonly number[] {
  const startedAt = readStartTime(pid);
  return startedAt === undefined ? [] : listTree({ pid, startedAt }, []).map((ref) => ref.pid);
}

function commandsBelow(pid: number): readonly string[] {
  return below(pid).flatMap((one) => {
    try {
      return [readFileSync(`/proc/${one}/cmdline`, 'utf8').replaceAll('\0', ' ')];
    } catch {
      return [];
    }
  });
}

function endAll(pid: number): void {
  for (const one of [pid, ...below(pid)]) {
    try {
      process.kill(one, 'SIGKILL');
    } catch {
      // It has ended.
    }
  }
}
