import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from './clock.ts';
import { endTree, listTree, readEnvironment } from './process-tree.ts';
import { readStartTime } from './processes.ts';

const hasTmux = spawnSync('tmux', ['-V']).status === 0;
const mark = `SIGNALBOX_TREE_TEST=${process.pid}`;

test('the tree is the process, what is below it, and what left it with its mark', async () => {
  const root = await start('sleep 60 & (setsid sleep 61 &) ; echo up; wait');
  const found = listTree(refOf(root), [mark]);
  // The shell, its child, and the one that forked away.
  expect(found.length).toBe(3);
  expect(listTree(refOf(root), []).length).toBe(2);
  const { left } = await endTree(() => listTree(refOf(root), [mark]), systemClock, 3000);
  expect(left).toEqual([]);
});

test('a process that ignores hangup and SIGTERM is killed, and that is verified', async () => {
  const root = await start(`trap '' TERM HUP; echo up; while :; do sleep 0.1; done`);
  const find = () => listTree(refOf(root), [mark]);
  const { killed, left } = await endTree(find, systemClock, 200);
  expect(killed).toBeGreaterThan(0);
  expect(left).toEqual([]);
});

test('a child without the mark that outlives its parent is followed to its end', async () => {
  const child = `env -i sh -c 'trap "" TERM; echo up; while :; do sleep 0.1; done'`;
  const root = await start(`${child} & wait`);
  const before = listTree(refOf(root), [mark]);
  const { killed, left } = await endTree(() => listTree(refOf(root), [mark]), systemClock, 300);
  expect(killed).toBeGreaterThan(0);
  expect(left).toEqual([]);
  expect(before.length).toBeGreaterThanOrEqual(2);
  expect(before.filter(({ pid, startedAt }) => readStartTime(pid) === startedAt)).toEqual([]);
});

test('one look that finds nothing may have been unlucky: two in a row count', async () => {
  const first = refOf(await start('echo up; sleep 60'));
  const late = await start(`trap '' TERM; echo up; while :; do sleep 0.1; done`);
  let looks = 0;
  let misses = 0;
  const find = () => {
    if (++looks === 1) return [first];
    if (readStartTime(first.pid) !== undefined) return [];
    return ++misses === 1 ? [] : [refOf(late)];
  };
  const { left } = await endTree(find, systemClock, 300);
  expect(left).toEqual([]);
  expect(readStartTime(late.pid ?? 0)).toBeUndefined();
});

test.runIf(hasTmux)(
  'a tmux server that a program started first is spared, and what lives in it',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sbx-tree-'));
    const socket = join(folder, 's');
    onTestFinished(() => {
      execFileSync('tmux', ['-S', socket, 'kill-server']);
      rmSync(folder, { recursive: true });
    });
    const root = await start(
      `tmux -S ${socket} -f /dev/null new-session -d sleep 60; echo up; sleep 60`,
    );
    const { left } = await endTree(() => listTree(refOf(root), [mark]), systemClock, 3000);
    expect(left).toEqual([]);
    expect(
      String(execFileSync('tmux', ['-S', socket, 'list-panes', '-a', '-F', '#{pane_dead}'])),
    ).toBe('0\n');
  },
);

test('a reused pid is nobody we know', async () => {
  const root = await start('echo up; sleep 60');
  expect(listTree({ pid: root.pid ?? 0, startedAt: '1' }, [])).toEqual([]);
});

test.runIf(process.platform === 'linux')('the environment a process was started with', async () => {
  const root = await start('echo up; sleep 60');
  expect(readEnvironment(root.pid ?? 0)).toMatchObject({ ODD: 'a=b\n"c"' });
  expect(readEnvironment(2 ** 22 + 1)).toBeUndefined();
});

async function start(script: string): Promise<ChildProcess> {
  const [name = '', value = ''] = mark.split('=');
  const child = spawn('sh', ['-c', script], {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { PATH: process.env['PATH'], [name]: value, ODD: 'a=b\n"c"' },
  });
  onTestFinished(async () => {
    await endTree(() => listTree(child.pid ? refOf(child) : undefined, [mark]), systemClock, 0);
  });
  if (child.stdout) await once(child.stdout, 'data');
  return child;
}

function refOf(child: ChildProcess) {
  const pid = child.pid ?? 0;
  return { pid, startedAt: readStartTime(pid) ?? 'gone' };
}
