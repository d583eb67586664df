import { type ChildProcess, execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type Entry, JournalReader } from '../../src/demo/journal.ts';
import { sweep } from '../../src/demo/sweep.ts';
import type { DemoOutcome } from '../../src/protocol/demo.ts';
import { program, type RunOptions, sbx, start, waitForEnd } from '../support/cli.ts';
import { tempHome } from '../support/home.ts';
import { waitUntil } from '../support/wait-until.ts';
import { hasCommand } from './fixtures/has-command.ts';

const hasTmux = hasCommand('tmux');
/** Two cores may be shared with many others. */
const slow = { timeout: 900_000 };

describe.runIf(hasTmux)('the demo', () => {
  test('B4, E12, O3, rules 27, 30, 31, 33: a worker and the daemon are killed at work; the team goes on and nothing is lost', {
    ...slow,
  }, async () => {
    const stage = openStage();
    const ended = await sbx(['demo', '--seconds', '6', '--json'], stage);
    expect(ended).toMatchObject({ code: 0, stderr: '' });
    const outcome = ended.json<DemoOutcome>();
    const { account, recoveries, resent, problems, answer } = outcome;
    // Six tasks, five answers, and what one worker told another.
    expect(account).toEqual({ accepted: 12, settled: 12, lost: 0, doubled: 0, misplaced: 0 });
    expect(recoveries.map(({ killed, outcome }) => `${killed} ${outcome}`)).toEqual([
      'agent recovered',
      'daemon recovered',
    ]);
    // The handoff broke off, and was called again.
    expect(resent).toBeGreaterThan(0);
    expect(answer).toMatch(/^shipped; heard (?:[a-z]+-\d+, ){3}[a-z]+-\d+ \(word: [a-z]+-\d+\)$/);
    expect(problems).toEqual([]);
    expectNothingLeft(stage);
  });

  test('without a terminal every event is a line, and the team is shown before each kill, from any folder', {
    ...slow,
    tags: ['full'],
  }, async () => {
    const stage = openStage();
    const elsewhere = ['sh', '-c', 'cd / && exec "$@"', 'sh'];
    const ended = await sbx(['demo', '--seconds', '1'], { ...stage, wrapper: elsewhere });
    expect(ended).toMatchObject({ code: 0, stderr: '' });
    const [story = '', account = ''] = ended.stdout.split(/(?=\n {2}accepted)/);
    expect(story).toMatch(/SIGNALBOX_HOME=\S+ (npx )?signalbox attach supervisor/);
    expect(story).toMatch(/ you +assign → supervisor: ship version 1\.0\n/);
    expect(story.match(/ supervisor +assign → worker-\d: /g)).toHaveLength(4);
    expect(story.match(/ supervisor +← worker-\d: done: .* \(word: /g)).toHaveLength(4);
    expect(story).toMatch(/ you +← supervisor: shipped; heard /);
    expect(story.match(/✗ kill -9 \d+/g)).toHaveLength(2);
    expect(story.match(/✓ /g)).toHaveLength(2);
    expect(story.match(/^ {2}WHO +STATUS +OWES/gm)).toHaveLength(2);
    expect(story).toMatch(/worker-2 +processing +supervisor/);
    expect(account).toMatch(/^\n {2}accepted +\d+ .*\n {2}settled +\d+ /);
    expect(account).toMatch(/\n {2}lost +0 .*\n {2}doubled +0 .*\n {2}misplaced +0 /);
    expect(account.match(/kill -9 .* recovered in \d+\.\d s/g)).toHaveLength(2);
    expect(ended.stdout).not.toContain('\u001b');
    expectNothingLeft(stage);
  });

  test('Ctrl-C ends everything that the demo started and removes its folder', slow, async () => {
    const stage = openStage();
    const { child, ended } = await startUntilAtWork(stage, ['demo', '--seconds', '60']);
    child.kill('SIGINT');
    expect(await ended).toMatchObject({
      code: 130,
      stderr: expect.stringContaining('interrupted'),
    });
    expectNothingLeft(stage);
  });

  describe('in other surroundings', { tags: ['full'] }, () => {
    test('two at once do not know of each other, nor of a server of the user’s', slow, async () => {
      const stages = [openStage(), openStage()] as const;
      const other = openScreen(stages[0], 'cat');
      const run = (stage: DemoStage) => sbx(['demo', '--seconds', '1', '--json'], stage);
      for (const ended of await Promise.all(stages.map(run))) {
        expect(ended).toMatchObject({ code: 0, stderr: '' });
        expect(ended.json<DemoOutcome>().account).toMatchObject({ accepted: 12, settled: 12 });
      }
      expect(other.tmux('list-sessions', '-F', '#{session_windows}')).toBe('1\n');
      other.close();
      for (const stage of stages) {
        await waitUntil('nothing to be left', () => leftovers(stage).length === 0);
      }
    });

    test.each([
      ['wide', 100, 30, ''],
      ['narrow', 40, 16, 'NO_COLOR=1'],
    ])(
      'on a %s terminal the team is a table that is painted in place; Ctrl-C there ends it',
      slow,
      async (_, columns, rows, env) => {
        const stage = openStage();
        const command = `${env} ${process.execPath} ${program} demo --seconds 60`;
        const { tmux, screen, close } = openScreen(stage, command, { columns, rows });
        const table = /WHO +STATUS.*\n {2}supervisor +.*\n {2}[├└] worker-1 +/;
        await waitUntil('the table', () => table.test(screen()));
        await waitUntil('a worker at work', () => /worker-\d +processing/.test(screen()));
        expect(screen().match(/WHO +STATUS/g)).toHaveLength(1);
        const coloured = tmux('capture-pane', '-pe', '-t', ':').includes('\u001b[');
        expect(coloured).toBe(env === '');
        tmux('send-keys', '-t', ':', 'C-c');
        await waitUntil('its end', () => screen().includes('ended with 130'));
        expect(readdirSync(stage.folder)).toEqual([]);
        // The terminal's own shell names the folder too.
        close();
        await waitUntil('nothing to be left', () => leftovers(stage).length === 0);
      },
    );

    test('on a terminal that cannot paint over it gets plain lines', slow, async () => {
      const stage = openStage();
      const command = `TERM=dumb ${process.execPath} ${program} demo --seconds 1`;
      const { tmux, screen, close } = openScreen(stage, command, { columns: 100, rows: 60 });
      await waitUntil('its end', () => screen().includes('ended with 0'), 120_000);
      const all = tmux('capture-pane', '-p', '-t', ':', '-S', '-');
      expect(all.match(/WHO +STATUS/g)).toHaveLength(2);
      close();
      await waitUntil('nothing to be left', () => leftovers(stage).length === 0);
    });

    test('a terminal that is closed under it ends it, and nothing is left', slow, async () => {
      const stage = openStage();
      const command = `exec ${process.execPath} ${program} demo --seconds 60`;
      const { screen, close } = openScreen(stage, command);
      await waitUntil('a worker at work', () => /worker-\d +processing/.test(screen()));
      close();
      await waitUntil('the end of all of it', () => leftovers(stage).length === 0);
    });

    test('a demo that is itself killed with -9 leaves nothing behind either', slow, async () => {
      const stage = openStage();
      const { child, ended } = await startUntilAtWork(stage, ['demo', '--seconds', '60']);
      child.kill('SIGKILL');
      expect(await ended).toMatchObject({ signal: 'SIGKILL' });
      await waitUntil('the end of all of it', () => leftovers(stage).length === 0);
    });

    test('a reader that goes away ends the demo, and nothing is left', slow, async () => {
      const stage = openStage();
      const { child, ended } = await startUntilAtWork(stage, ['demo', '--seconds', '60']);
      child.stdout?.destroy();
      expect(await ended).toMatchObject({ code: 1, stderr: expect.stringContaining('output') });
      expectNothingLeft(stage);
    });

    test('--keep leaves the team and says how to end it', slow, async () => {
      const stage = openStage();
      const ended = await sbx(['demo', '--seconds', '1', '--json', '--keep'], stage);
      expect(ended.code).toBe(0);
      const { home = '' } = ended.json<DemoOutcome>();
      onTestFinished(async () => void (await sweep(home)));
      // Somebody who looks in finds them, and they still answer.
      const sent = await sbx(['send', 'worker-1', 'hello', '--json'], { home });
      const { id } = sent.json<{ id: string }>();
      await waitUntil('an answer', async () => {
        const explained = await sbx(['explain', id, '--json'], { home });
        return explained.stdout.includes('"acked"');
      });
      expect(await sweep(home)).toEqual([]);
      expectNothingLeft(stage);
    });
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

/** A tmux server of the test's own, in which a person runs the command. */
function openScreen(
  stage: DemoStage,
  command: string,
  { columns, rows }: { columns: number; rows: number } = { columns: 100, rows: 30 },
) {
  const socket = join(tempHome('sbx-look-'), 's');
  const tmux = (...args: readonly string[]): string =>
    execFileSync('tmux', ['-S', socket, '-f', '/dev/null', ...args], { encoding: 'utf8' });
  const close = (): void => void spawnSync('tmux', ['-S', socket, 'kill-server']);
  onTestFinished(close);
  const size = ['-x', String(columns), '-y', String(rows)];
  const shell = `export TMPDIR=${stage.folder}; ${command}; echo ended with $?; exec cat`;
  tmux('new-session', '-d', ...size, shell);
  return { tmux, close, screen: () => tmux('capture-pane', '-p', '-t', ':') };
}

/** Runs it until the supervisor and three workers have their tasks. */
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
      return new Set(notes.filter(isAtWork).map(({ agent }) => agent)).size >= 4;
    },
    60_000,
  );
  reader?.close();
  return { child, ended };
}

function isAtWork({ fact }: Entry): boolean {
  return fact === 'received';
}

function expectNothingLeft(stage: DemoStage): void {
  expect(leftovers(stage)).toEqual([]);
}

/**
 * Files, and processes that name the folder in their command or their environment: daemon, tmux,
 * agents, janitor.
 */
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
