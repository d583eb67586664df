import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { findMisprint } from './misprint.ts';

/** The built program, as users run it. */
export const program = resolve('dist/signalbox.cjs');

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Of stdout. Throws when it is not exactly one JSON document. */
  readonly json: <T = Record<string, unknown>>() => T;
}

export interface RunOptions {
  readonly home: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string | Buffer;
  /** By default one that belongs to no project: what it makes is in the session `default`. */
  readonly cwd?: string;
  /**
   * Instead of the program itself, e.g. a shell with a limit: gets the program's command line as
   * its arguments.
   */
  readonly wrapper?: readonly string[];
}

/** Runs one command to its end. */
export function sbx(args: readonly string[], options: RunOptions): Promise<Ended> {
  return check(args, waitForEnd(start(args, options)));
}

/** Whoever reads a document of \`--json\` reads it by its schema, strictly (docs/json.md). */
async function check(args: readonly string[], ending: Promise<Ended>): Promise<Ended> {
  const ended = await ending;
  const json = <T>(): T => {
    const document = ended.json<T>();
    const misprint = args.includes('--json') ? findMisprint(args, document) : undefined;
    if (misprint !== undefined) throw new Error(misprint);
    return document;
  };
  return { ...ended, json };
}

const quiet = { SIGNALBOX_DESKTOP_NOTIFICATIONS: 'off' };

export function start(args: readonly string[], options: RunOptions): ChildProcess {
  const [command = '', ...rest] = [...(options.wrapper ?? []), process.execPath, program, ...args];
  const child = spawn(command, rest, {
    // Whoever runs the tests at a desktop is not told of what they do.
    env: { ...process.env, ...quiet, SIGNALBOX_HOME: options.home, ...options.env },
    stdio: ['pipe', 'pipe', 'pipe'],
    cwd: options.cwd ?? tmpdir(),
    // Without the terminal of whoever runs the tests: else each command would be a person's
    // (rule 52).
    detached: true,
  });
  child.stdin?.on('error', () => undefined); // It may end before it has read everything.
  child.stdin?.end(options.input ?? '');
  return child;
}

export function waitForEnd(child: ChildProcess): Promise<Ended> {
  const out: Buffer[] = [];
  const err: Buffer[] = [];
  child.stdout?.on('data', (chunk: Buffer) => out.push(chunk));
  child.stderr?.on('data', (chunk: Buffer) => err.push(chunk));
  return new Promise((done, fail) => {
    child.on('error', fail);
    child.on('close', (code, signal) => {
      const stdout = Buffer.concat(out).toString();
      const stderr = Buffer.concat(err).toString();
      done({ code, signal, stdout, stderr, json: () => JSON.parse(stdout) });
    });
  });
}

/** A process that is held at a fail-point: the window is open until the test decides. */
export interface Held {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
  /** SIGKILL, exactly here. */
  kill(): Promise<Ended>;
  /** Go on. */
  release(): Promise<Ended>;
}

/** Starts a command and waits until it stands at `place` (see shared/fail-point.ts). */
export async function holdAt(
  place: string,
  args: readonly string[],
  options: RunOptions,
): Promise<Held> {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-hold-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const env = {
    ...options.env,
    SIGNALBOX_FAILPOINTS: `${place}=hold`,
    SIGNALBOX_FAILPOINT_DIR: folder,
  };
  const child = start(args, { ...options, env });
  const ended = waitForEnd(child);
  let over = false;
  void ended.then(() => {
    over = true;
  });
  const mark = (): string | undefined => readdirSync(folder).find((name) => name.startsWith(place));
  while (!mark()) {
    if (over) throw new Error(`it ended before ${place}: ${(await ended).stderr}`);
    await delay(5);
  }
  return {
    child,
    ended,
    kill: () => {
      child.kill('SIGKILL');
      return ended;
    },
    release: () => {
      const name = mark();
      if (name && existsSync(join(folder, name))) rmSync(join(folder, name));
      return ended;
    },
  };
}
