import { type ChildProcess, execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { DemoOutcome } from '../../src/demo/demo.ts';
import { type Entry, JournalReader } from '../../src/demo/journal.ts';
import { sweep } from '../../src/demo/sweep.ts';
import { program, type RunOptions, sbx, start, waitForEnd } from '../support/cli.ts';
import { tempHome } from '../support/home.ts';
import { waitUntil } from '../support/wait-until.ts';
import { hasCommand } from './fixtures/has-command.ts';

const hasTmux = hasCommand('tmux');
/** Two cores may be shared with many others. */
const slow = { timeout: 240_000 };

describe.runIf(hasTmux)('the demo', () => {
  test('B3, B4, O3, rule 16: daemon, control client, agent and tmux server are killed and recovered; nothing is lost', {
    ...slow,
  }, async () => {
    const stage = openStage();
    const ended = await sbx(['demo', '--seconds', '6', '--json'], stage);
    expect(ended).toMatchObject({ code: 0, stderr: '' });
    const outcome = ended.json<DemoOutcome>();
    const { account, recoveries, questions, repeats, resent, problems } = outcome;
    expect(account).toMatchObject({ lost: 0, doubled: 0, misplaced: 0 });
    expect(account.accepted).toBeGreaterThan(10);
    expect(account.settled).toBe(account.accepted);
    expect(recoveries.map(({ killed, outcome }) => `${killed} ${outcome}`)).toEqual([
      'daemon recovered',
      'control-client recovered',
      'agent recovered',
      'tmux-server recovered',
    ]);
    expect(questions).toBeGreaterThan(0);
    // One message of the agent that was killed, and one of each that the tmux server took along.
    expect(repeats).toBeGreaterThanOrEqual(4);
    // Rule 33: one of those had sent and was not told.
    expect(resent).toBeGreaterThan(0);
    expect(problems).toEqual([]);
    expectNothingLeft(stage);
  });

  test(
    'without a terminal every status and every kill is a line, from any folder',
    slow,
    async () => {
      const stage = openStage();
      const elsewhere = ['sh', '-c', 'cd / && exec "$@"', 'sh'];
      const ended = await sbx(['demo', '--seconds', '1'], { ...stage, wrapper: elsewhere });
      expect(ended).toMatchObject({ code: 0, stderr: '' });
      const [story = '', account = ''] = ended.stdout.split(/(?=\n {2}accepted)/);
      expect(story).toMatch(/SIGNALBOX_HOME=\S+ (npx )?signalbox attach worker-1/);
      for (const status of ['processing', 'waiting: question', 'completed', 'exited']) {
        expect(story).toMatch(new RegExp(`s {2}worker-\\d +${status}`));
      }
      expect(story.match(/✗ kill -9 \d+/g)).toHaveLength(4);
      expect(story.match(/✓ /g)).toHaveLength(4);
      expect(account).toMatch(/^\n {2}accepted +\d+ .*\n {2}settled +\d+ /);
      expect(account).toMatch(/\n {2}lost +0 .*\n {2}doubled +0 .*\n {2}misplaced +0 /);
      expect(account.match(/kill -9 .* recovered in \d+\.\d s/g)).toHaveLength(4);
      expect(ended.stdout).not.toContain('\u001b');
      expectNothingLeft(stage);
    },
  );

  test('Ctrl-C ends everything that the demo started and removes its folder', slow, async () => {
    const stage = openStage();
    const { child, ended } = await startUntilAtWork(stage, ['demo', '--seconds', '600']);
    child.kill('SIGINT');
    expect(await ended).toMatchObject({
      code: 130,
      stderr: expect.stringContaining('interrupted'),
    });
    expectNothingLeft(stage);
  });

  test(
    'on a terminal the team is a table that is painted in place; Ctrl-C there ends it',
    slow,
    async () => {
      const stage = openStage();
      const socket = join(tempHome('sbx-look-'), 's');
      const tmux = (...args: readonly string[]): string =>
        execFileSync('tmux', ['-S', socket, '-f', '/dev/null', ...args], { encoding: 'utf8' });
      onTestFinished(() => void spawnSync('tmux', ['-S', socket, 'kill-server']));
      const command = `TMPDIR=${stage.folder} ${process.execPath} ${program} demo --seconds 600`;
      tmux(
        'new-session',
        '-d',
        '-x',
        '100',
        '-y',
        '30',
        `${command}; echo ended with $?; exec cat`,
      );
      const screen = (): string => tmux('capture-pane', '-p', '-t', ':');
      const table =
        /NAME +STATUS +INBOX.*\n {2}lead +.*\n {2}worker-1 +.*\n {2}worker-2 +.*\n {2}worker-3 +/;
      await waitUntil('the table', () => table.test(screen()), 60_000);
      await waitUntil(
        'a status to change',
        () => / {2}worker-\d +processing/.test(screen()),
        60_000,
      );
      expect(screen().match(/NAME +STATUS/g)).toHaveLength(1);
      tmux('send-keys', '-t', ':', 'C-c');
      await waitUntil('its end', () => screen().includes('ended with 130'), 60_000);
      expect(readdirSync(stage.folder)).toEqual([]);
      // The terminal's own shell names the folder too.
      tmux('kill-server');
      await waitUntil('nothing to be left', () => leftovers(stage).length === 0);
    },
  );

  test('a demo that is itself killed with -9 leaves nothing behind either', slow, async () => {
    const stage = openStage();
    const { child, ended } = await startUntilAtWork(stage, ['demo', '--seconds', '600']);
    child.kill('SIGKILL');
    expect(await ended).toMatchObject({ signal: 'SIGKILL' });
    await waitUntil('the end of all of it', () => leftovers(stage).length === 0, 60_000);
  });

  test('a reader that goes away ends the demo, and nothing is left', slow, async () => {
    const stage = openStage();
    const { child, ended } = await startUntilAtWork(stage, ['demo', '--seconds', '600']);
    child.stdout?.destroy();
    expect(await ended).toMatchObject({ code: 1, stderr: expect.stringContaining('output') });
    expectNothingLeft(stage);
  });

  test('--keep leaves the team at work and says how to end it', slow, async () => {
    const stage = openStage();
    const ended = await sbx(['demo', '--seconds', '1', '--json', '--keep'], stage);
    expect(ended.code).toBe(0);
    const { home = '' } = ended.json<DemoOutcome>();
    onTestFinished(async () => void (await sweep(home)));
    // Somebody who looks in finds them, and they still answer.
    const sent = await sbx(['send', 'worker-1', 'task 3000: one more', '--json'], { home });
    const { id } = sent.json<{ id: string }>();
    await waitUntil('an answer', async () => {
      const explained = await sbx(['explain', id, '--json'], { home });
      return explained.stdout.includes('"acked"');
    });
    expect(await sweep(home)).toEqual([]);
    expectNothingLeft(stage);
  });
});

test('without tmux the demo says so and what to install, and leaves nothing', async () => {
  const stage = openStage();
  const bin = join(tempHome(), 'bin');
  mkdirSync(bin);
  symlinkSync(process.execPath, join(bin, 'node'));
  const options = { ...stage, env: { ...stage.env, PATH: bin } };
  const ended = await sbx(['demo', '--json'], options);
  expect(ended.code).toBe(1);
  expect(ended.json()).toMatchObject({
    error: { code: 'backend-missing', next: expect.stringContaining('install tmux') },
  });
  expect(ended.stderr).toMatch(/^signalbox: The demo runs its agents in tmux\. .*\n$/);
  expectNothingLeft(stage);
});

test('a time that is no time is refused as usage', async () => {
  for (const text of ['0', '-1', '1.5', 'long', '3601']) {
    const ended = await sbx(['demo', '--seconds', text, '--json'], openStage());
    expect(ended.code).toBe(2);
    expect(ended.json()).toMatchObject({ error: { code: 'usage' } });
  }
});

/** The demo's own folder lies in this one, so that a test can tell whether it is gone. */
interface DemoStage extends RunOptions {
  readonly folder: string;
}

function openStage(): DemoStage {
  const folder = tempHome('sbx-demo-');
  onTestFinished(async () => {
    for (const name of readdirSync(folder)) await sweep(join(folder, name));
  });
  return { home: tempHome(), folder, env: { TMPDIR: folder } };
}

/** Runs it until every program has had a turn. */
async function startUntilAtWork(stage: DemoStage, args: readonly string[]) {
  const child: ChildProcess = start(args, stage);
  onTestFinished(() => void child.kill('SIGKILL'));
  const ended = waitForEnd(child);
  const notes: Entry[] = [];
  let reader: JournalReader | undefined;
  await waitUntil(
    'a team at work',
    () => {
      if (child.exitCode !== null) throw new Error('it ended too early');
      const [name] = readdirSync(stage.folder);
      if (name === undefined || !existsSync(join(stage.folder, name, 'demo-journal.ndjson')))
        return false;
      reader ??= new JournalReader(join(stage.folder, name));
      notes.push(...reader.read());
      return new Set(notes.filter(isAtWork).map(({ agent }) => agent)).size === 4;
    },
    60_000,
  );
  reader?.close();
  return { child, ended };
}

function isAtWork({ fact }: Entry): boolean {
  return fact === 'sending' || fact === 'handed';
}

function expectNothingLeft(stage: DemoStage): void {
  expect(leftovers(stage)).toEqual([]);
}

/** Files, and processes that name the folder in their command or their environment: daemon, tmux, agents, janitor. */
function leftovers({ folder }: DemoStage): readonly string[] {
  const pids = process.platform === 'linux' ? readdirSync('/proc').filter(isPid) : [];
  const processes = pids.filter((pid) => Number(pid) !== process.pid && names(pid, folder));
  return [...readdirSync(folder), ...processes.map((pid) => `process ${pid}`)];
}

function isPid(name: string): boolean {
  return /^\d+$/.test(name);
}

function names(pid: string, folder: string): boolean {
  try {
    const words = ['cmdline', 'environ'].map((file) =>
      readFileSync(`/proc/${pid}/${file}`, 'utf8'),
    );
    return words.join('\0').includes(folder);
  } catch {
    return false; // It ended while we looked, or is somebody else's.
  }
}
