import { type ChildProcess, spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { DaemonInfo, HealthView } from '../../../src/protocol/daemon.ts';
import { findSocket } from '../../../src/terminals/herdr/place.ts';
import { installHerdr, stopHerdr } from '../../support/install-herdr.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { findFamily, isAlive, readProcess, signalProcess } from '../processes.ts';
import { runTmux } from '../run-tmux.ts';
import { UserTerminal } from './user-terminal.ts';

export type Variables = Readonly<Record<string, string>>;
/** Where agents' terminals live. */
export type LabTerminal = 'tmux' | 'herdr';

/** A loaded machine takes seconds for what is a tenth of one otherwise. */
const commandMs = 120_000;

/**
 * signalbox as a person has it: the built program, a state folder, its daemon and its server for
 * terminals. It owns all of these and touches nothing else of the product: what it knows it got
 * from a command's JSON.
 */
export class LabBox {
  readonly state: string;
  /** The built command line, in this run's own copy. */
  readonly program: string;

  readonly terminal: LabTerminal;
  /** The Node that runs every command of ours, and so the daemon, and what that starts. */
  readonly #node: string;
  readonly #variables: Variables;
  #user: UserTerminal | undefined;

  private constructor(
    state: string,
    { program, node = process.execPath }: LabProgram,
    terminal: LabTerminal,
    variables: Variables,
  ) {
    this.state = state;
    this.program = program;
    this.#node = node;
    this.terminal = terminal;
    this.#variables = variables;
    if (terminal === 'tmux') return;
    // Its folders are those of the home below: variables that name others would reach the CLIs,
    // too.
    const { PATH = '' } = installHerdr(state, '0.8.0');
    this.#variables = { ...variables, PATH, SIGNALBOX_TERMINAL: terminal };
  }

  /** The variables are those of every command, and so of the daemon. */
  static async open(
    program: string | LabProgram,
    terminal: LabTerminal = 'tmux',
    variables: Variables = {},
  ): Promise<LabBox> {
    const state = mkdtempSync(join(tmpdir(), 'signalbox-lab-box-'));
    const ours = typeof program === 'string' ? { program } : program;
    const box = new LabBox(state, ours, terminal, variables);
    await box.up();
    return box;
  }

  /** The one document of a command that must succeed. */
  async ask<T>(args: readonly string[], more: Asked = {}): Promise<T> {
    // What follows `--` belongs to the CLI.
    const tail = more.tail === undefined ? [] : ['--', ...more.tail];
    const child = this.spawn([...args, '--json', ...tail], more.env);
    const { code, stdout, stderr } = await waitForEnd(child);
    if (code === 0) return JSON.parse(stdout) as T;
    throw new Error(`signalbox ${args.join(' ')} ended with ${code}: ${stderr.trim()}`);
  }

  /** What a command came to, whatever that is; as a script of the user's, or as an agent. */
  async attempt(args: readonly string[], env: Variables = {}): Promise<Attempted> {
    const { code, stdout } = await waitForEnd(this.spawn([...args, '--json'], env));
    return { code: code ?? -1, document: JSON.parse(stdout || '{}') };
  }

  async attemptAsUser(args: readonly string[]): Promise<Attempted> {
    this.#user ??= new UserTerminal(this.state, this.#environment);
    const words = [this.#node, this.program, ...args, '--json'];
    const { code, stdout } = await this.#user.run(words, commandMs);
    return { code, document: JSON.parse(stdout || '{}') };
  }

  /** The same, typed by the user at a terminal of their own: it has the user's standing. */
  async askAsUser<T>(args: readonly string[]): Promise<T> {
    return (await this.timeAsUser<T>(args)).answer;
  }

  /** The same, with the moment at which the command began, in milliseconds since 1970. */
  async timeAsUser<T>(
    args: readonly string[],
  ): Promise<{ readonly answer: T; readonly startedAt: number }> {
    this.#user ??= new UserTerminal(this.state, this.#environment);
    const words = [this.#node, this.program, ...args, '--json'];
    const { startedAt, code, stdout, stderr } = await this.#user.run(words, commandMs);
    if (code === 0) return { answer: JSON.parse(stdout) as T, startedAt };
    throw new Error(`signalbox ${args.join(' ')} ended with ${code}: ${stderr.trim()}`);
  }

  /** The same, for what may be refused. */
  async tryAsUser<T>(
    args: readonly string[],
  ): Promise<{ readonly code: number | null; readonly document: T }> {
    this.#user ??= new UserTerminal(this.state, this.#environment);
    const words = [this.#node, this.program, ...args, '--json'];
    const { code, stdout } = await this.#user.run(words, commandMs);
    return { code, document: JSON.parse(stdout) as T };
  }

  /** What a person sees who enters this. */
  async show(args: readonly string[]): Promise<string> {
    const { stdout } = await waitForEnd(this.spawn(args));
    return `$ signalbox ${args.join(' ')}\n${stdout.trimEnd()}`;
  }

  spawn(args: readonly string[], env: Variables = {}): ChildProcess {
    return spawn(this.#node, [this.program, ...args], {
      // A home of its own: the daemon must not find a person's configuration.
      env: { ...this.#environment, ...env, SIGNALBOX_HOME: this.state },
      // No terminal of a person who runs the lab: what the lab sends is a script's.
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  }

  get #environment(): Variables {
    const home = { HOME: this.state, SIGNALBOX_HOME: this.state };
    return { PATH: process.env['PATH'] ?? '', ...home, ...this.#variables };
  }

  async up(env: Variables = {}): Promise<void> {
    await this.ask(['up'], { env });
  }

  async down(): Promise<void> {
    await this.ask(['down']);
  }

  async subscribers(): Promise<number> {
    const { components } = await this.ask<HealthView>(['health']);
    return components.daemon.subscribers ?? 0;
  }

  get daemon(): DaemonInfo {
    return JSON.parse(readFileSync(join(this.state, 'daemon.json'), 'utf8')) as DaemonInfo;
  }

  get socket(): string {
    return join(this.state, 'tmux.sock');
  }

  get herdrSocket(): string {
    return findSocket('signalbox', { HOME: this.state });
  }

  /** SIGKILL, to the very process that holds the state folder. */
  async killDaemon(): Promise<void> {
    const { pid } = this.daemon;
    const found = readProcess(pid);
    const environment = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
    if (!found || !environment.includes(`SIGNALBOX_HOME=${this.state}`)) {
      throw new Error(`Process ${pid} is not the daemon of ${this.state}.`);
    }
    signalProcess(found, 'SIGKILL');
    await waitUntil('the end of the daemon', () => !isAlive(found));
  }

  /** Ends daemon, server and whatever still carries this state folder's name. */
  async close(): Promise<void> {
    await this.#user?.close();
    await this.ask(['down']).catch(() => undefined);
    await runTmux(this.socket, ['kill-server'], {}).catch(() => undefined);
    if (this.terminal === 'herdr') await stopHerdr(this.herdrSocket);
    const mine = `SIGNALBOX_HOME=${this.state}`;
    for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
      for (const found of findFamily(undefined, mine)) signalProcess(found, signal);
      const isOver = await waitUntil('the end of all', () => isEmpty(mine), 5000).then(
        () => true,
        () => false,
      );
      if (isOver) break;
    }
    rmSync(this.state, { recursive: true, force: true, maxRetries: 5 });
  }
}

export interface LabProgram {
  readonly program: string;
  /** A Node of its own; without one, that of the lab. */
  readonly node?: string;
}

/** The exit code, and the one document: what was asked for, or the error. */
export interface Attempted {
  readonly code: number;
  readonly document: { readonly error?: { readonly code: string } } & Readonly<
    Record<string, unknown>
  >;
}

interface Asked {
  readonly env?: Variables;
  readonly tail?: readonly string[];
}

/**
 * A copy of the build, for the length of a run: whoever builds meanwhile must not change the
 * program under test. It lies below node_modules so that it finds its native dependency.
 */
export function copyProgram(build = 'dist'): { readonly program: string; remove(): void } {
  const parent = resolve('node_modules', '.cache');
  mkdirSync(parent, { recursive: true });
  const folder = mkdtempSync(join(parent, 'signalbox-lab-'));
  cpSync(build, folder, { recursive: true });
  return {
    program: join(folder, 'signalbox.cjs'),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

function isEmpty(mark: string): boolean {
  return findFamily(undefined, mark).length === 0;
}

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

async function waitForEnd(child: ChildProcess): Promise<Ended> {
  const out: Buffer[] = [];
  const err: Buffer[] = [];
  child.stdout?.on('data', (chunk: Buffer) => out.push(chunk));
  child.stderr?.on('data', (chunk: Buffer) => err.push(chunk));
  const timer = setTimeout(() => child.kill('SIGKILL'), commandMs);
  try {
    const code = await new Promise<number | null>((done, fail) => {
      child.once('error', fail);
      child.once('close', done);
    });
    return { code, stdout: Buffer.concat(out).toString(), stderr: Buffer.concat(err).toString() };
  } finally {
    clearTimeout(timer);
  }
}
