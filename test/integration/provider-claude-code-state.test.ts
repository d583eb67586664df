import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { watchState } from '../../src/providers/claude-code/state.ts';
import type { AgentContext, OwnState } from '../../src/providers/provider.ts';
import { readStartTime } from '../../src/shared/processes.ts';
import { tempHome } from '../support/home.ts';
import { waitUntil } from '../support/wait-until.ts';

/** The file as Claude Code 2.1.325 writes it, with the real start time of a real process. */
const stateOf = (pid: number, more: object): string =>
  JSON.stringify({ pid, sessionId: 'c0ffee', procStart: readStartTime(pid), ...more });
const idle = { report: { status: 'idle' }, conversation: 'c0ffee' };
const busy = { report: { status: 'processing' }, conversation: 'c0ffee' };

test('a file that appears late is followed from its first word to its end', async () => {
  const { folder, seen, context } = follow(startSleeper());
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `${context.pid}.json`);
  const write = (more: object): void => writeFileSync(path, stateOf(context.pid, more));
  const watch = seen.open();
  expect(seen.states).toEqual([]);
  write({});
  await seen.next({ report: undefined, conversation: 'c0ffee' });
  write({ status: 'idle' });
  await seen.next(idle);
  write({ status: 'busy' });
  await seen.next(busy);
  write({ status: 'waiting', waitingFor: 'permission prompt' });
  await seen.next({
    report: { status: 'waiting', detail: 'permission' },
    conversation: 'c0ffee',
  });
  rmSync(path);
  await seen.next({ report: undefined });
  watch.close();
  write({ status: 'idle' });
  expect(seen.states).toHaveLength(5);
});

test('half-written texts are passed over, and the word after them is told once', async () => {
  const { folder, seen, context } = follow(startSleeper());
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `${context.pid}.json`);
  writeFileSync(path, stateOf(context.pid, { status: 'idle' }));
  seen.open();
  await seen.next(idle);
  const text = stateOf(context.pid, { status: 'busy' });
  for (let length = 0; length <= text.length; length += 7)
    writeFileSync(path, text.slice(0, length));
  writeFileSync(path, text);
  await seen.next(busy);
  expect(seen.states).toEqual([idle, busy]);
});

test('O5: a file that stays corrupt is a lost source, and is believed again when it is mended', async () => {
  const { folder, seen, context } = follow(startSleeper());
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `${context.pid}.json`);
  writeFileSync(path, stateOf(context.pid, { status: 'busy' }));
  seen.open();
  await seen.next(busy);
  writeFileSync(path, '{"pid":');
  await seen.next({ report: undefined });
  writeFileSync(path, stateOf(context.pid, { status: 'idle' }));
  await seen.next(idle);
});

test('a file left by a dead process with the same pid, and files of other sessions, say nothing', async () => {
  const { folder, seen, context } = follow(startSleeper());
  const stranger = startSleeper();
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `${context.pid}.json`);
  const left = JSON.stringify({ sessionId: 'old', procStart: '1', status: 'busy' });
  writeFileSync(path, left);
  seen.open();
  writeFileSync(
    join(folder, `${stranger.pid}.json`),
    stateOf(stranger.pid ?? 0, { status: 'busy' }),
  );
  writeFileSync(join(folder, 'not-a-session.json'), '{}');
  writeFileSync(path, stateOf(context.pid, { status: 'idle' }));
  await seen.next(idle);
  expect(seen.states).toEqual([idle]);
});

test.each(['while it is watched', 'when it is found again'])(
  'behind a launcher the state is that of its child: %s',
  async (when) => {
    const launcher = spawn('sh', ['-c', 'sleep 300 & echo $!; wait'], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    endAfterTest(launcher);
    const child = Number(
      await new Promise((done) => launcher.stdout.once('data', (text) => done(String(text)))),
    );
    onTestFinished(() => void process.kill(child, 'SIGKILL'));
    const { folder, seen } = follow(launcher);
    mkdirSync(folder, { recursive: true });
    const write = (): void =>
      writeFileSync(join(folder, `${child}.json`), stateOf(child, { status: 'busy' }));
    if (when !== 'while it is watched') write();
    seen.open();
    if (when === 'while it is watched') write();
    await seen.next(busy);
  },
);

test('the folder of a first start ever is found after output', async () => {
  const { folder, seen, context } = follow(startSleeper());
  const watch = seen.open();
  watch.check();
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${context.pid}.json`), stateOf(context.pid, { status: 'idle' }));
  await seen.next(idle, () => watch.check());
  writeFileSync(join(folder, `${context.pid}.json`), stateOf(context.pid, { status: 'busy' }));
  await seen.next(busy);
});

/** A user namespace has limits of its own, so that nobody else runs out of anything. */
const limited = (name: string): string[] => [
  'unshare',
  '-Ur',
  'sh',
  '-c',
  `echo 0 > /proc/sys/user/${name} && exec "$@"`,
  'sh',
];
const canLimit =
  spawnSync('unshare', [...limited('max_inotify_watches').slice(1), 'true']).status === 0;

test.skipIf(!canLimit).each(['max_inotify_watches', 'max_inotify_instances'])(
  'with the %s reached nothing is thrown, and output drives the reading',
  async (name) => {
    const { folder, context } = follow(startSleeper());
    mkdirSync(folder, { recursive: true });
    const path = join(folder, `${context.pid}.json`);
    writeFileSync(path, stateOf(context.pid, { status: 'idle' }));
    // Reports each state as a line; each line it is given is output of the agent.
    const program = `
      import { watchState } from ${JSON.stringify(join(process.cwd(), 'src/providers/claude-code/state.ts'))};
      const watch = watchState(${JSON.stringify(context)}, (state) => console.log(JSON.stringify(state)));
      process.stdin.on('data', () => watch.check());`;
    const [command = '', ...args] = [
      ...limited(name),
      process.execPath,
      ...['--import', 'tsx', '--input-type=module', '-e', program],
    ];
    const reader = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
    endAfterTest(reader);
    let printed = '';
    reader.stdout.on('data', (text) => {
      printed += String(text);
    });
    await waitUntil('the first state', () => printed.includes('"idle"'));
    writeFileSync(path, stateOf(context.pid, { status: 'busy' }));
    await waitUntil('the next one', () => {
      reader.stdin.write('output\n');
      return printed.includes('"processing"');
    });
    expect(reader.exitCode).toBeNull();
  },
);

function follow(agent: ChildProcess) {
  const config = tempHome();
  const folder = join(config, 'sessions');
  const context: AgentContext = {
    agent: 'agt_1',
    pid: agent.pid ?? 0,
    cwd: '/srv/app',
    runFolder: '/run',
    conversation: undefined,
    startedAt: 0,
    version: '2.1.325',
    env: { CLAUDE_CONFIG_DIR: config },
  };
  const states: OwnState[] = [];
  let read = 0;
  const seen = {
    states,
    open: () => {
      const watch = watchState(context, (state) => states.push(state));
      onTestFinished(() => watch.close());
      return watch;
    },
    next: async (expected: object, meanwhile: () => void = () => undefined): Promise<void> => {
      await waitUntil(JSON.stringify(expected), () => {
        meanwhile();
        return states.length > read;
      });
      expect(states[read++]).toEqual(expected);
    },
  };
  return { folder, context, seen };
}

function startSleeper(): ChildProcess {
  const sleeper = spawn('sleep', ['300'], { stdio: 'ignore' });
  endAfterTest(sleeper);
  return sleeper;
}

function endAfterTest(child: ChildProcess): void {
  onTestFinished(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((done) => child.once('exit', done));
    child.kill('SIGKILL');
    await ended;
  });
}
