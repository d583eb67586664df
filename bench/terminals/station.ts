import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { scriptedProvider, writeScriptedProvider } from '../../src/demo/scripted-provider.ts';
import { protocolVersion, headers as wire } from '../../src/protocol/daemon.ts';
import { systemClock } from '../../src/shared/clock.ts';
import { endTree, listTree } from '../../src/shared/process-tree.ts';
import { type Control, openControl } from '../../test/fakes/scripted-agent.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const built = join(root, 'dist');
const pause = (ms: number) => systemClock.sleep(ms);

export interface StatusEvent {
  readonly agent: string;
  readonly status: string;
  /** performance.now() when it reached us. */
  readonly at: number;
}

interface StationWish {
  /** The build that runs, for whoever has a copy of its own. */
  readonly dist?: string;
  /**
   * Without the look into its process, which has a price: every promise of the daemon is counted.
   */
  readonly isBare?: boolean;
  /** Beside the scripted agent, as config.yaml describes them. */
  readonly providers?: Readonly<Record<string, object>>;
  /** More of config.yaml. */
  readonly settings?: Readonly<Record<string, number | string>>;
  /** In the daemon's environment, and in that of the agents; its PATH is put before ours. */
  readonly env?: Readonly<Record<string, string>>;
  /** Loaded into the daemon before it. */
  readonly preload?: string;
  /** Of Node, for the daemon. */
  readonly flags?: readonly string[];
}

/** A real daemon on a real tmux with scripted agents, and a look into its process. */
export class Station {
  readonly home: string;
  #daemon: ChildProcess | undefined;
  #listeners = new Set<(event: StatusEvent) => void>();
  #stream: { destroy(): void } | undefined;
  readonly #mark: string;
  readonly #dist: string;
  readonly #isBare: boolean;
  readonly #wished: Readonly<Record<string, string>>;
  readonly #preload: readonly string[];
  readonly #flags: readonly string[];

  constructor(home: string, wish: StationWish = {}) {
    const { dist = built, isBare = false, providers = {}, settings = {}, preload } = wish;
    this.#flags = wish.flags ?? [];
    this.#wished = wish.env ?? {};
    this.#preload = preload === undefined ? [] : ['-r', preload];
    this.home = home;
    this.#dist = dist;
    this.#isBare = isBare;
    this.#mark = `SIGNALBOX_BENCH_HOME=${home}`;
    mkdirSync(join(home, 'control'), { recursive: true, mode: 0o700 });
    const command = [process.execPath, join(dist, 'scripted-agent.cjs')];
    const config = JSON.parse(writeScriptedProvider(command));
    // What nobody at a terminal sent is a script's, and an hour's worth of its turns is used up in
    // seconds.
    const unbounded = { 'script-budget': 100_000 };
    const described = {
      ...config,
      ...unbounded,
      ...settings,
      providers: { ...config.providers, ...providers },
    };
    writeFileSync(join(home, 'config.yaml'), JSON.stringify(described));
  }

  get pid(): number {
    return this.#daemon?.pid ?? 0;
  }

  async start(): Promise<void> {
    const looking = ['--expose-gc', '-r', join(root, 'bench/terminals/collect.cjs')];
    const args = [...this.#flags, ...(this.#isBare ? [] : looking), ...this.#preload];
    this.#daemon = spawn(process.execPath, [...args, join(this.#dist, 'daemon.cjs')], {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: this.#env({ SIGNALBOX_BENCH_REPORT: this.#reportPath }),
    });
    for (let left = 300; ; left--) {
      const health = await this.ask<{ ok: boolean }>('GET', '/health').catch(() => undefined);
      if (health?.ok) break;
      if (left === 0) throw new Error('the daemon does not become ready');
      await pause(50);
    }
    await this.#listen();
  }

  async stopDaemon(signal: NodeJS.Signals): Promise<void> {
    this.#stream?.destroy();
    const daemon = this.#daemon;
    if (!daemon) return;
    const ended = new Promise((done) => daemon.once('exit', done));
    daemon.kill(signal);
    await ended;
  }

  /** Everything that was started here ends, also when the run was cut short. */
  async close(): Promise<void> {
    await this.stopDaemon('SIGTERM');
    await endTree(() => listTree(undefined, [this.#mark]), systemClock, 1000);
    try {
      execFileSync('tmux', ['-S', join(this.home, 'tmux.sock'), 'kill-server'], {
        stdio: 'ignore',
      });
    } catch {
      // It is gone already.
    }
    rmSync(this.home, { recursive: true, force: true });
  }

  /** Launches an agent and waits until it is at rest. */
  async launch(name: string): Promise<Agent> {
    const path = join(this.home, 'control', `${name}.sock`);
    const id = await this.launchProgram(name, scriptedProvider, { SCRIPTED_AGENT_CONTROL: path });
    return { id, name, control: await openControl(path, 60_000) };
  }

  /** Launches any program and waits until it is at rest. Returns its id. */
  async launchProgram(
    name: string,
    provider: string,
    extraEnv: Readonly<Record<string, string>>,
    parent?: string,
  ): Promise<string> {
    const idle = this.next((event) => event.agent === name && event.status === 'idle', 60_000);
    idle.catch(() => undefined); // Where the launch itself fails nobody waits for it.
    const { id } = await this.ask<{ id: string }>('POST', '/agents', {
      provider,
      name,
      ...(parent === undefined ? {} : { parent }),
      notify: true,
      cwd: root,
      extraArgs: [],
      env: this.#env({}),
      extraEnv,
    });
    await idle;
    return id;
  }

  onStatus(listener: (event: StatusEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  next(isIt: (event: StatusEvent) => boolean, deadlineMs = 30_000): Promise<StatusEvent> {
    return new Promise((found, failed) => {
      const timer = setTimeout(() => {
        stop();
        failed(new Error('a status never came'));
      }, deadlineMs);
      const stop = this.onStatus((event) => {
        if (!isIt(event)) return;
        clearTimeout(timer);
        stop();
        found(event);
      });
    });
  }

  /** Seconds of processor time that the daemon has used, its worker included. */
  cpuSeconds(): number {
    const stat = readFileSync(`/proc/${this.pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) / 100;
  }

  /** After a forced collection. */
  async holdings(): Promise<Holdings> {
    rmSync(this.#reportPath, { force: true });
    this.#daemon?.kill('SIGUSR2');
    for (let left = 200; ; left--) {
      try {
        const facts = JSON.parse(readFileSync(this.#reportPath, 'utf8')) as Omit<Holdings, 'rssMb'>;
        const status = readFileSync(`/proc/${this.pid}/status`, 'utf8');
        return { ...facts, rssMb: Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024 };
      } catch (error) {
        if (left === 0) throw error;
        await pause(50);
      }
    }
  }

  /** As the user, or as an agent by its id. */
  ask<T>(method: string, path: string, body?: unknown, agent?: string): Promise<T> {
    return askDaemon(this.home, { method, path, body, agent });
  }

  #listen(): Promise<void> {
    return new Promise((ready, failed) => {
      const socketPath = join(this.home, 'run', 'daemon.sock');
      const path = `/events?topic=${encodeURIComponent('agent.*.status')}`;
      const headers = { 'signalbox-protocol': String(protocolVersion) };
      const asked = request({ socketPath, path, headers }, (response) => {
        this.#stream = response;
        createInterface({ input: response }).on('line', (line) => {
          if (!line.startsWith('data:')) return;
          const at = performance.now();
          const event = JSON.parse(line.slice(5)) as { data?: { name?: string; status?: string } };
          const { name: agent, status } = event.data ?? {};
          if (!agent || !status) return;
          for (const listener of [...this.#listeners]) listener({ agent, status, at });
        });
        ready();
      });
      asked.on('error', failed);
      asked.end();
    });
  }

  get #reportPath(): string {
    return join(this.home, 'report.json');
  }

  #env(more: Record<string, string>): Record<string, string> {
    const { HOME = '', LANG = 'C.UTF-8' } = process.env;
    const PATH = [this.#wished['PATH'], process.env['PATH']].filter(Boolean).join(':');
    const [name = '', value = ''] = this.#mark.split('=');
    const ours = { PATH, SIGNALBOX_HOME: this.home, [name]: value };
    return { HOME, LANG, ...this.#wished, ...ours, ...more };
  }
}

/** One request to the daemon of a state folder, as any client makes it. */
export function askDaemon<T>(
  home: string,
  {
    method,
    path,
    body,
    agent,
    user,
  }: {
    readonly method: string;
    readonly path: string;
    readonly body?: unknown;
    readonly agent?: string | undefined;
    /** The user's token. */
    readonly user?: string | undefined;
  },
): Promise<T> {
  return new Promise((answered, failed) => {
    const socketPath = join(home, 'run', 'daemon.sock');
    const headers = {
      'content-type': 'application/json',
      'signalbox-protocol': String(protocolVersion),
      ...(agent === undefined ? {} : { [wire.agent]: agent }),
      ...(user === undefined ? {} : { [wire.user]: user }),
    };
    const asked = request({ socketPath, method, path, headers }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('end', () => {
        const text = Buffer.concat(parts).toString();
        if ((response.statusCode ?? 500) >= 400) return failed(new Error(`${path}: ${text}`));
        return answered((text === '' ? undefined : JSON.parse(text)) as T);
      });
    });
    asked.on('error', failed);
    asked.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

export interface Agent {
  readonly id: string;
  readonly name: string;
  readonly control: Control;
}

export interface Holdings {
  readonly memory: NodeJS.MemoryUsage;
  readonly openFiles: number;
  readonly timers: number;
  readonly rssMb: number;
}
