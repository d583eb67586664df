import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { askDaemon } from '../../../bench/terminals/station.ts';
import { findDaemon } from '../../../src/client/socket/find-daemon.ts';
import { readUserToken } from '../../../src/client/socket/user-token.ts';
import { scriptedProvider, writeScriptedProvider } from '../../../src/demo/scripted-provider.ts';
import { tmuxByHand } from '../../../src/demo/tmux-by-hand.ts';
import type { AgentView } from '../../../src/protocol/agents.ts';
import { systemClock } from '../../../src/shared/clock.ts';
import { endTree, listTree, type ProcessRef } from '../../../src/shared/process-tree.ts';
import { buildPrograms, type Programs } from '../programs.ts';
import { journalOf } from './journal.ts';

/**
 * Longer than any command takes here, and than any request; a daemon that is stopped for a moment
 * answers late.
 */
const commandMs = 60_000;
const requestMs = 20_000;

export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * A state folder with a daemon, a tmux server and agents of the run's own, all of which may be
 * killed.
 */
export class Station {
  readonly home: string;
  readonly agents: readonly string[];
  readonly #folder: string;
  readonly #programs: Programs;

  private constructor(folder: string, programs: Programs, agents: readonly string[]) {
    this.#folder = folder;
    this.#programs = programs;
    this.agents = agents;
    this.home = join(folder, 'home');
    mkdirSync(join(this.home, 'work'), { recursive: true, mode: 0o700 });
    const command = [process.execPath, programs.worker('agent')];
    // What nobody at a terminal sent is a script's, and an hour's worth of its turns is used up in
    // seconds.
    const config = writeScriptedProvider(command, { settings: { 'script-budget': 100_000 } });
    writeFileSync(join(this.home, 'config.yaml'), config);
  }

  static async open(agents: readonly string[]): Promise<Station> {
    // Its real path: processes are found again by it. Short, for the sockets in it.
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'sbx-torture-')));
    const worker = new URL('./agent.ts', import.meta.url);
    try {
      return new Station(folder, await buildPrograms(join(folder, 'program'), [worker]), agents);
    } catch (error) {
      rmSync(folder, { recursive: true, force: true });
      throw error;
    }
  }

  async launchAll(): Promise<void> {
    for (const name of this.agents) {
      const journal = journalOf(this.home, name);
      const about = ['--name', name, '--no-notify', '--cwd', join(this.home, 'work')];
      const { code, stderr } = await this.run([
        ...['launch', scriptedProvider, ...about, '--json', '--', journal],
      ]);
      if (code !== 0) throw new Error(`launch ${name} ended with ${code}: ${stderr}`);
    }
  }

  /** One command of the built program, by the user. */
  run(args: readonly string[]): Promise<Ended> {
    const options = { env: this.#env(), timeout: commandMs, killSignal: 'SIGKILL' } as const;
    return new Promise((done) => {
      execFile(process.execPath, [this.#programs.cli, ...args], options, (error, stdout, stderr) =>
        done({ code: error ? Number(error.code ?? -1) : 0, stdout, stderr }),
      );
    });
  }

  /**
   * One request to the daemon; fails when there is none, or it dies over it. `asUser`: as a command
   * that a person types makes it, with the user's token.
   */
  async ask<T>(
    method: string,
    path: string,
    { body, asUser = false }: { readonly body?: unknown; readonly asUser?: boolean } = {},
  ): Promise<T> {
    const user = asUser ? readUserToken({ state: this.home, config: this.home }) : undefined;
    const over = new AbortController();
    const tooLate = systemClock.sleep(requestMs, over.signal).then(() => {
      throw new Error(`${path}: no answer`);
    });
    tooLate.catch(() => undefined);
    try {
      return await Promise.race([askDaemon<T>(this.home, { method, path, body, user }), tooLate]);
    } finally {
      over.abort();
    }
  }

  /** Undefined while no daemon answers. */
  async look(): Promise<readonly AgentView[] | undefined> {
    try {
      const { agents } = await this.ask<{ agents: readonly AgentView[] }>('GET', '/agents');
      return agents.filter(({ name }) => this.agents.includes(name));
    } catch {
      return undefined;
    }
  }

  daemon(): ProcessRef | undefined {
    const found = findDaemon({ state: this.home, config: this.home });
    return found && { pid: found.pid, startedAt: found.startedAt };
  }

  /** On our own server, as a person could; undefined when it fails. */
  tmux(...args: readonly string[]): Promise<string | undefined> {
    return tmuxByHand(this.home, args);
  }

  async pane(agentId: string): Promise<{ pane: string; session: string } | undefined> {
    const format = '#{@sbx-agent} #{pane_id} #{session_name}';
    const listed = (await this.tmux('list-panes', '-a', '-F', format)) ?? '';
    const mine = listed.split('\n').filter((line) => line.startsWith(`${agentId} `));
    // The hub has a link to every window; the agent's own session is the one to attach to.
    const own = mine.find((line) => !line.split(' ')[2]?.startsWith('hub')) ?? mine[0];
    const [, pane, session] = own?.split(' ') ?? [];
    return pane && session ? { pane, session } : undefined;
  }

  /** Everything that carries this folder's name ends; the folder goes, unless it is kept. */
  async close({ keep }: { keep: boolean }): Promise<void> {
    await this.run(['down']);
    await this.tmux('kill-server');
    await endTree(() => listTree(undefined, [`SIGNALBOX_HOME=${this.home}`]), systemClock, 500);
    if (!keep) rmSync(this.#folder, { recursive: true, force: true, maxRetries: 5 });
  }

  #env(): NodeJS.ProcessEnv {
    const kept = Object.entries(process.env).filter(([name]) => !/^(SIGNALBOX_|TMUX)/.test(name));
    const mark = process.env['SIGNALBOX_TEST_RUN'];
    return {
      ...Object.fromEntries(kept),
      ...(mark === undefined ? {} : { SIGNALBOX_TEST_RUN: mark }),
      SIGNALBOX_HOME: this.home,
    };
  }
}
