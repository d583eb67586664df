import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { AppServer, appServerSocket } from '../../../src/providers/codex/app-server.ts';
import { openEvidence } from '../../../src/providers/codex/evidence.ts';
import { planLaunch } from '../../../src/providers/codex/launch.ts';
import { openNative } from '../../../src/providers/codex/native.ts';
import { watchState } from '../../../src/providers/codex/state.ts';
import type { AgentContext, OwnState, StateWatch } from '../../../src/providers/provider.ts';
import type {
  AttemptTrace,
  Evidence,
  Finding,
  Injected,
  NativeRoute,
  TurnNews,
} from '../../../src/providers/way-in.ts';
import { createMark } from '../../../src/shared/ids.ts';
import { launchRequest } from '../../support/launch-request.ts';
import { LabTerminal } from '../driver.ts';
import type { LabHome } from '../homes/home.ts';
import { pins } from '../versions.ts';

export interface LifeWish {
  readonly home: LabHome;
  readonly epoch: number;
  readonly resume?: string | undefined;
  readonly extraArgs?: readonly string[];
}

/**
 * One life of a real Codex, started as the product does, with all that the provider opens on it.
 */
export class CodexLife {
  readonly states: OwnState[] = [];
  terminal!: LabTerminal; // Set by `open`, before anybody gets it.
  native!: NativeRoute; // The same.
  evidence!: Evidence; // The same.
  readonly #wish: LifeWish;
  readonly #runFolder: string;
  readonly #startedAt = Date.now();
  #server: ChildProcess | undefined;
  #serverArgv: readonly string[] = [];
  #watch: StateWatch | undefined;
  #conversation: string | undefined;

  private constructor(wish: LifeWish) {
    this.#wish = wish;
    this.#conversation = wish.resume;
    this.#runFolder = join(wish.home.folder, `run-${wish.epoch}`);
    mkdirSync(this.#runFolder);
  }

  static async open(wish: LifeWish): Promise<CodexLife> {
    const life = new CodexLife(wish);
    const { home } = wish;
    const plan = planLaunch(
      launchRequest({
        executablePath: join(home.cli.binFolder, 'codex'),
        version: pins.codex.version,
        epoch: wish.epoch,
        cwd: home.cwd,
        resume: wish.resume,
        extraArgs: [...home.args, ...(wish.extraArgs ?? [])],
        runFolder: life.#runFolder,
      }),
    );
    for (const { argv, readyPath } of plan.helpers) {
      await life.#startServer(argv, readyPath ?? '');
    }
    const { cwd, env } = home;
    life.terminal = await LabTerminal.open({ argv: plan.argv, env, cwd });
    life.attach();
    return life;
  }

  get conversation(): string | undefined {
    return this.#conversation;
  }

  get turnEnds(): readonly TurnNews[] {
    return this.states.flatMap(({ turnEnd }) => turnEnd ?? []);
  }

  /** As a daemon that starts, or starts again, does. */
  attach(): void {
    this.#watch = watchState(this.#context(), (state) => {
      if (state.conversation !== undefined) this.#conversation = state.conversation;
      this.states.push(state);
    });
    const life = { current: () => this.#context(), changed: () => undefined };
    this.native = openNative(life);
    this.evidence = openEvidence(life);
  }

  detach(): void {
    this.#watch?.close();
    this.native.close();
    this.evidence.close();
  }

  async ready(): Promise<void> {
    await this.terminal.waitFor(
      'the composer',
      ({ text, title }) => /^› Ask Codex to do anything/m.test(text) && /^\w/.test(title),
      60_000,
    );
    await until('the way in', () => this.native.blocked() === undefined);
  }

  /** An envelope with a new mark round a script for the mock. */
  async inject(script: string): Promise<{ mark: string; injected: Injected; trace: AttemptTrace }> {
    const at = Date.now();
    const mark = createMark();
    const injected = await this.native.inject({
      mark,
      at,
      text: `<signalbox ${mark}>\nOne message for you.\n${script}\n</signalbox ${mark}>`,
      begin: async () => true,
      signal: AbortSignal.timeout(10_000),
    });
    const receipt = injected.outcome === 'taken' ? injected.receipt : undefined;
    const trace: AttemptTrace = {
      mark,
      route: 'native',
      at,
      isSubmitted: false,
      isAlive: true,
      conversation: this.#conversation,
      ...(receipt === undefined ? {} : { receipt }),
    };
    return { mark, injected, trace };
  }

  async judge(trace: AttemptTrace): Promise<Finding> {
    const [finding] = await this.evidence.judge([trace]);
    if (!finding) throw new Error('no finding');
    return finding;
  }

  /** Asked until it says so. */
  async finds(trace: AttemptTrace, found: Finding['found'], deadlineMs = 20_000): Promise<Finding> {
    let last: Finding | undefined;
    const holds = async (): Promise<boolean> => {
      last = await this.judge(trace);
      return last.found === found;
    };
    await until(`the finding ${found}`, holds, deadlineMs).catch((error: Error) => {
      throw new Error(`${error.message} Last: ${JSON.stringify(last)}`);
    });
    return last as Finding;
  }

  /** Another client's word. */
  async request(method: string, params: Record<string, unknown>): Promise<unknown> {
    const ignore = { notification: () => undefined, closed: () => undefined };
    const server = await AppServer.connect(appServerSocket(this.#runFolder), ignore);
    try {
      return await server.request(method, params);
    } finally {
      server.close();
    }
  }

  async restartServer(): Promise<void> {
    const socket = appServerSocket(this.#runFolder);
    rmSync(socket, { force: true });
    await this.#startServer(this.#serverArgv, socket);
  }

  killServer(): void {
    const pid = this.#server?.pid;
    // The launcher is a leader of its own group; the server is its child.
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  }

  async end(how: 'kill' | 'quit'): Promise<void> {
    this.detach();
    if (how === 'kill') {
      for (const { pid } of this.terminal.processes()) {
        if (pid !== process.pid) tryKill(pid);
      }
    }
    if (this.#server && this.#server.exitCode === null && this.#server.signalCode === null) {
      const gone = new Promise((done) => this.#server?.once('exit', done));
      this.killServer();
      await gone;
    }
    await this.terminal.end();
  }

  async #startServer(argv: readonly string[], socket: string): Promise<void> {
    this.#serverArgv = argv;
    const [program = '', ...args] = argv;
    const { cwd, env } = this.#wish.home;
    this.#server = spawn(program, args, { cwd, env, stdio: 'ignore', detached: true });
    await until('the socket', () => existsSync(socket));
  }

  #context(): AgentContext {
    return {
      agent: 'agt_1',
      pid: this.terminal.pid,
      cwd: this.#wish.home.cwd,
      runFolder: this.#runFolder,
      conversation: this.#conversation,
      startedAt: this.#startedAt,
      version: pins.codex.version,
      env: this.#wish.home.env,
    };
  }
}

export async function until(
  what: string,
  holds: () => boolean | Promise<boolean>,
  deadlineMs = 30_000,
): Promise<void> {
  const end = performance.now() + deadlineMs;
  while (!(await holds())) {
    if (performance.now() > end) throw new Error(`Not within ${deadlineMs} ms: ${what}.`);
    await delay(50);
  }
}

function tryKill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
}
