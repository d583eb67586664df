import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildSync, stop } from 'esbuild';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../src/shared/clock.ts';
import { endTree, listTree, readEnvironment } from '../../src/shared/process-tree.ts';
import { readStartTime } from '../../src/shared/processes.ts';

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

// Whoever may do everything is not kept from looking, so the one who looks must be an ordinary
// user.
test.runIf(process.getuid?.() === 0)(
  'a process that hides its environment from its own user is found by its arguments',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sbx-hidden-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const script = join(folder, 'look.mjs');
    const bundle = join(folder, 'tree.mjs');
    const source = join(import.meta.dirname, '../../src/shared/process-tree.ts');
    const how = { bundle: true, platform: 'node', format: 'esm', logLevel: 'error' } as const;
    buildSync({ ...how, entryPoints: [source], outfile: bundle });
    void stop(); // It would leave a process of its own behind.
    // prctl(PR_SET_DUMPABLE, 0), as Codex 0.166.0 does.
    const hide =
      'import ctypes,time; ctypes.CDLL(None).prctl(4,0); print("up",flush=True); time.sleep(60)';
    writeFileSync(
      script,
      `import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { listTree } from './tree.mjs';
const marks = ['HIDDEN_TEST=1'];
const start = async (word) => {
  const env = { PATH: process.env.PATH, HIDDEN_TEST: '1' };
  const child = spawn('python3', ['-c', ${JSON.stringify(hide)}, word], { env, stdio: ['ignore', 'pipe', 'ignore'] });
  await once(child.stdout, 'data');
  return child;
};
const mine = await start('unix:///run/agt_1-1/s.sock');
const others = [await start('/run/agt_1-11/s.sock'), await start('see /run/agt_1-1/notes')];
const found = (traces) => listTree(undefined, traces).map(({ pid }) => pid === mine.pid ? 'mine' : 'another');
process.stdout.write(JSON.stringify([found(marks), found({ marks, path: '/run/agt_1-1' })]));
mine.kill('SIGKILL');
for (const other of others) other.kill('SIGKILL');
`,
    );
    chmodSync(folder, 0o755);
    const seen = execFileSync(process.execPath, [script], {
      uid: 65_534,
      gid: 65_534,
      env: { PATH: process.env['PATH'], TMPDIR: '/tmp', HOME: '/' },
    });
    expect(JSON.parse(String(seen))).toEqual([[], ['mine']]);
  },
);

test('what is only called a little like a multiplexer is spared nothing', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sbx-names-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const name of ['screenshotter', 'screen-mcp', 'herdr-hook', 'zellijx']) {
    copyFileSync('/bin/sleep', join(folder, name));
    const root = await start(`'${join(folder, name)}' 60 & echo up; wait`);
    const { left } = await endTree(() => listTree(undefined, [mark]), systemClock, 3000);
    expect(left).toEqual([]);
    expect(readStartTime(root.pid ?? 0)).toBeUndefined();
    expect(listTree(undefined, [mark])).toEqual([]);
  }
});

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
