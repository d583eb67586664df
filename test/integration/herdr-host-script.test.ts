import { execFileSync, spawn, spawnSync } from 'node:child_process';
import {
  closeSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { systemClock } from '../../src/shared/clock.ts';
import { listTree } from '../../src/shared/process-tree.ts';
import { readStartTime } from '../../src/shared/processes.ts';
import {
  installHost,
  prepareEnvironment,
  programWords,
} from '../../src/terminals/herdr/host-script.ts';
import { Notes, readEnding, readPid } from '../../src/terminals/herdr/notes.ts';
import { waitUntil } from '../support/wait-until.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sbx-host-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const life = { agent: 'agt_1', epoch: 1, helper: '' };
const helper = { ...life, helper: 'server' };
const reporter = `require('node:fs').writeFileSync(process.argv[1], JSON.stringify({ env: process.env, argv: process.argv.slice(2) }))`;

/** Runs it as herdr would: without a shell of ours, in an environment of its own. */
async function host(
  env: Record<string, string>,
  argv: readonly string[],
  around = {},
  whose = life,
) {
  const notes = new Notes(folder, systemClock);
  const files = prepareEnvironment(env, whose.helper !== '');
  const note = notes.begin(whose, 'sock', files);
  const args = [installHost(folder), note.folder, '0022', ...files.words, ...programWords(argv)];
  const child = spawn('/bin/sh', args, {
    env: { PATH: process.env['PATH'], HERDR_ENV: '1', TERM: 'xterm-256color', ...around },
  });
  let complaints = '';
  child.stderr.on('data', (part) => {
    complaints += String(part);
  });
  const closed = new Promise((done) => child.on('exit', done));
  await waitUntil('its end', () => readEnding(note));
  child.kill('SIGKILL'); // It would keep the pane.
  await closed;
  return { complaints, note };
}

test('B13: values reach the program as they are, and no shell has read them', async () => {
  const env = {
    PATH: process.env['PATH'] ?? '',
    QUOTES: `a "b" 'c' \\d $HOME \`id\` $(touch ${folder}/pwned) ~ *`,
    LINES: 'one\ntwo\r\nthree\n\n',
    BACKSLASHES: '\\n \\0101 \\\\ %s',
    BLANKS: '  both ends  ',
    EMPTY: '',
    UNICODE: 'é🚂',
    IFS: 'x',
    'odd.name': 'kept',
  };
  const seen = join(folder, 'seen.json');
  const { complaints } = await host(env, [process.execPath, '-e', reporter, seen], {
    SECRET_OF_HERDR: 'no',
    TMUX: 'foreign',
  });
  expect(complaints).toBe('');
  const { PWD, ...got } = JSON.parse(readFileSync(seen, 'utf8')).env;
  expect(got).toEqual({ ...env, HERDR_ENV: '1', TERM: 'xterm-256color' });
  expect(existsSync(join(folder, 'pwned'))).toBe(false);
});

test('a helper gets its environment as well, but no address of a pane; its end is noted', async () => {
  const seen = join(folder, 'seen.json');
  const env = { PATH: process.env['PATH'] ?? '', LINES: 'one\ntwo\n' };
  const program = [process.execPath, '-e', `${reporter}; process.exit(7)`, seen];
  const around = { HERDR_PANE_ID: 'w1:p1', HERDR_SOCKET_PATH: '/x' };
  const { note } = await host(env, program, around, helper);
  const { PWD, ...got } = JSON.parse(readFileSync(seen, 'utf8')).env;
  expect(got).toEqual({ ...env, TERM: 'xterm-256color' });
  expect(readEnding(note)).toEqual({ exitCode: 7 });
});

test('names that the host uses itself, or that a shell keeps to itself, are the program’s all the same', async () => {
  const seen = join(folder, 'seen.json');
  const names = ['folder', 'name', 'value', 'keep', 'code', 'program', 'RANDOM', 'LINENO', '_'];
  const env = Object.fromEntries(names.map((name) => [name, `its ${name}`]));
  const all = { PATH: process.env['PATH'] ?? '', ...env };
  await host(all, [process.execPath, '-e', reporter, seen]);
  expect(JSON.parse(readFileSync(seen, 'utf8')).env).toMatchObject(env);
});

test.each(['dash', 'bash'].filter((name) => spawnSync(name, ['-c', ':']).status === 0))(
  'a helper that was stopped costs its host nothing, and still ends with it (%s)',
  async (name) => {
    const notes = new Notes(folder, systemClock);
    const files = prepareEnvironment({ PATH: process.env['PATH'] ?? '' }, true);
    const note = notes.begin(helper, 'sock', files);
    const socket = join(folder, 's');
    const words = [name, installHost(folder), note.folder, '0022', ...files.words, 'sleep', '600'];
    const command = words.map((word) => `'${word}'`).join(' ');
    // In a terminal of its own: only there are there groups before and behind.
    const tmux = (...args: string[]) =>
      spawnSync('tmux', ['-S', socket, '-f', '/dev/null', ...args], { encoding: 'utf8' });
    tmux('new-session', '-d', `exec ${command}`);
    try {
      const [program, own] = await waitUntil('both', () => {
        const pids = [readPid(note), readPid(note, 'host')];
        return pids.every((pid) => pid !== undefined) ? (pids as number[]) : undefined;
      });
      process.kill(program ?? 0, 'SIGSTOP');
      await waitUntil('it is stopped', () => stateOf(program) === 'T');
      const before = ticksOf(own);
      await systemClock.sleep(1500);
      expect(ticksOf(own) - before).toBeLessThan(20);
      process.kill(program ?? 0, 'SIGCONT');
      process.kill(own ?? 0, 'SIGTERM');
      await waitUntil('the end of both', () => [program, own].every((pid) => !stateOf(pid)));
    } finally {
      tmux('kill-server');
    }
  },
);

function statOf(pid: number | undefined): readonly string[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return [];
  }
}

/** Empty when it has ended. */
function stateOf(pid: number | undefined): string {
  const [state = ''] = statOf(pid);
  return state === 'Z' ? '' : state;
}

function ticksOf(pid: number | undefined): number {
  const fields = statOf(pid);
  return Number(fields[11]) + Number(fields[12]);
}

test('arguments, and a program whose path holds an equals sign, are what they are', async () => {
  const seen = join(folder, 'seen.json');
  mkdirSync(join(folder, 'v=1'));
  const program = join(folder, 'v=1', 'run');
  writeFileSync(
    program,
    `#!/bin/sh\nexec "${process.execPath}" -e '${reporter.replaceAll("'", `'\\''`)}' "$@"\n`,
    {
      mode: 0o755,
    },
  );
  const args = ['$HOME', '`id`', '', ' ', 'a\nb', '~', '-u', 'A=B', '*'];
  await host({ PATH: process.env['PATH'] ?? '' }, [program, seen, ...args]);
  expect(JSON.parse(readFileSync(seen, 'utf8')).argv).toEqual(args);
});

test('rule 40: the environment is nowhere on disk once the program has it', async () => {
  const { note } = await host({ TOKEN: 'secret' }, ['/bin/true']);
  expect(existsSync(join(note.folder, 'env'))).toBe(false);
});

test.each([
  ['exit 0', { exitCode: 0 }],
  ['exit 7', { exitCode: 7 }],
  ['kill -9 $$', { exitSignal: 'SIGKILL' }],
  ['kill -TERM $$', { exitSignal: 'SIGTERM' }],
])('how a program ended is kept: %s', async (script, ending) => {
  const { note } = await host({ PATH: process.env['PATH'] ?? '' }, ['/bin/sh', '-c', script]);
  expect(readEnding(note)).toEqual(ending);
  expect(readPid(note)).toEqual(expect.any(Number));
  expect(readPid(note, 'host')).not.toBe(readPid(note));
});

test('a program that does not exist ends with 127', async () => {
  const { note } = await host({ PATH: process.env['PATH'] ?? '' }, ['/not/there']);
  expect(readEnding(note)).toEqual({ exitCode: 127 });
});

test('a host whose folder is gone ends by itself', async () => {
  const notes = new Notes(folder, systemClock);
  const note = notes.begin(life, 'sock', prepareEnvironment({}));
  notes.forget(note);
  const args = [installHost(folder), note.folder, '0022', '/bin/true'];
  expect(spawnSync('/bin/sh', args, { timeout: 60_000 }).signal).toBeNull();
});

test.runIf(existsSync('/proc/self/stat'))(
  'B4: a program whose terminal is forgotten while its pid is being written does not begin',
  async () => {
    const notes = new Notes(folder, systemClock);
    const note = notes.begin(life, 'sock', prepareEnvironment({ PATH: process.env['PATH'] ?? '' }));
    // Nobody reads from it yet, so whoever opens it to write waits there.
    execFileSync('mkfifo', [join(note.folder, 'pid')]);
    const begun = join(folder, 'begun');
    const args = [installHost(folder), note.folder, '0022', '/usr/bin/touch', begun];
    const child = spawn('/bin/sh', args, { stdio: 'ignore' });
    const ended = new Promise((done) => child.on('exit', done));
    await waitUntil('it opens the file', () => isHeldAtPid(child.pid ?? 0));
    let reader = 0;
    notes.forget(note, (moved) => {
      reader = openSync(join(moved.folder, 'pid'), constants.O_RDONLY | constants.O_NONBLOCK);
    });
    await ended;
    closeSync(reader);
    expect(existsSync(begun)).toBe(false);
  },
);

/** The program's own shell sleeps, and it has nothing to wait for but that file. */
function isHeldAtPid(host: number): boolean {
  const tree = listTree({ pid: host, startedAt: readStartTime(host) ?? '' }, []);
  return tree.some(({ pid }) => {
    try {
      const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
      const state = /\) (\S)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1];
      return words.includes('_sbx=$1') && state === 'S';
    } catch {
      return false; // It ended while we looked.
    }
  });
}
