import { spawn } from 'node:child_process';
import { expect, onTestFinished, test } from 'vitest';
import { listTree } from '../../src/shared/process-tree.ts';
import { readStartTime } from '../../src/shared/processes.ts';
import { waitUntil } from '../support/wait-until.ts';
import { HookStage, pathWithoutCurl } from './fixtures/hook-stage.ts';

const decides = { decides: true } as const;
const printed = '{"decision":"two\nlines \\ and \\"quotes\\""}\n';
const silence = { code: 0, stdout: '', stderr: '' };

test.each([
  ['curl', false],
  ['Node', true],
])(
  'rule 23: by %s, it holds its request, and prints the decision about it with 0',
  async (_, isBare) => {
    const stage = await HookStage.open();
    const env = isBare ? { PATH: pathWithoutCurl(stage.home) } : {};
    const { fleet } = stage.server;
    const ended = stage.run('PermissionRequest', { payload: '{"a":1}', wish: decides, env });
    await waitUntil('two polls', () => fleet.polls.length >= 2);
    const [first, second] = fleet.polls;
    expect(first).toMatchObject({ token: 'right', poll: { body: { a: 1 }, cli: process.pid } });
    expect(second?.poll).toEqual(first?.poll);
    fleet.held = { id: 'say_held', reply: { stdout: printed, exitCode: 0 } };
    expect(await ended).toMatchObject({ code: 0, stdout: printed, stderr: '' });
  },
);

test('rule 16: what is not confirmed is not printed, and the hook holds on', async () => {
  const stage = await HookStage.open();
  const { fleet, hookDesk } = stage.server;
  fleet.confirms = false;
  hookDesk.isConfirmable = false;
  fleet.held = { id: 'say_late', reply: { stdout: 'never', exitCode: 0 } };
  const ended = stage.run('PermissionRequest', { wish: decides });
  await waitUntil('it asks again', () => fleet.polls.length >= 2);
  fleet.held = 'dismissed';
  expect(await ended).toMatchObject(silence);
});

test('rule 23: dismissed, or of a life that is over, it ends without a word', async () => {
  const stage = await HookStage.open();
  stage.server.fleet.held = 'dismissed';
  expect(await stage.run('PermissionRequest', { wish: decides })).toMatchObject(silence);
});

test('rule 23: a daemon of an earlier version takes it for an event, and it ends without a word', async () => {
  const stage = await HookStage.open();
  const command = `exec ${stage.script} decide PermissionRequest ${process.pid}`;
  // As such a daemon does with an event that means nothing to it.
  stage.server.fleet.held = { id: '{"outcome":"ignored"}', reply: { stdout: '', exitCode: 0 } };
  expect(await stage.run('PermissionRequest', { command })).toMatchObject(silence);
});

test('rule 23: a daemon that is lost is awaited, and the next one is asked the same', async () => {
  const stage = await HookStage.open();
  const { fleet } = stage.server;
  const ended = stage.run('PermissionRequest', { payload: '{"b":2}', wish: decides });
  await waitUntil('it asks', () => fleet.polls.length >= 1);
  await stage.close();
  const before = fleet.polls.length;
  await stage.listen();
  await waitUntil('it asks again', () => fleet.polls.length > before);
  expect(fleet.polls.at(-1)?.poll).toEqual(fleet.polls[0]?.poll);
  fleet.held = { id: 'say_held', reply: { stdout: printed, exitCode: 0 } };
  expect(await ended).toMatchObject({ code: 0, stdout: printed });
});

test('rule 23: without a daemon it waits in silence, and ends with its CLI', async () => {
  const stage = await HookStage.open();
  await stage.close();
  const command = stage.command('PermissionRequest', decides);
  // The CLI: it runs the hook, and is killed.
  const cli = spawn('/bin/sh', ['-c', 'sh -c "$0" & echo $!; wait', command], {
    env: stage.env,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const hook = await new Promise<number>((done) => {
    cli.stdout.once('data', (data: Buffer) => done(Number(data.toString())));
  });
  onTestFinished(() => endAll(hook));
  const isAsleep = (): boolean => listBelow(hook).length >= 2;
  await waitUntil('it waits for a daemon', isAsleep);
  cli.kill('SIGKILL');
  await waitUntil(
    'its end',
    () => readStartTime(hook) === undefined && listBelow(hook).length === 0,
  );
});

test('rule 23: the end of the hook is that of all its processes', async () => {
  const stage = await HookStage.open();
  const child = spawn('/bin/sh', ['-c', stage.command('PermissionRequest', decides)], {
    ...{ env: stage.env, stdio: ['pipe', 'ignore', 'ignore'] },
    // As Claude Code 2.1.325 runs it: in a group of its own, which it ends as one.
    detached: true,
  });
  child.stdin?.end('{}');
  const pid = child.pid ?? 0;
  onTestFinished(() => endAll(pid));
  await waitUntil('it asks', () => stage.server.fleet.polls.length >= 1);
  const all = listBelow(pid);
  expect(all.length).toBeGreaterThan(0);
  process.kill(-pid, 'SIGTERM');
  const isOver = (): boolean => [pid, ...all].every((one) => readStartTime(one) === undefined);
  await waitUntil('the end of all', isOver);
});

function listBelow(pid: number): readonly number[] {
  const startedAt = readStartTime(pid);
  if (startedAt === undefined) return [];
  return listTree({ pid, startedAt }, [])
    .map((ref) => ref.pid)
    .filter((one) => one !== pid);
}

function endAll(pid: number): void {
  for (const one of [pid, ...listBelow(pid)]) {
    try {
      process.kill(one, 'SIGKILL');
    } catch {
      // It has ended.
    }
  }
}
