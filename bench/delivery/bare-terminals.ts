import { execFile } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { openControl } from '../../test/fakes/scripted-agent.ts';
import { ControlClient } from './control-client.ts';
import { InputWatch } from './input-watch.ts';
import { openPipe, plainDescription } from './plain-program.ts';

const run = promisify(execFile);

export interface BareTerminal {
  readonly pane: string;
  readonly input: InputWatch;
  close(): void;
}

/** One program: what it is started with, and how it is listened to once it runs. */
interface Program {
  readonly env: string;
  readonly argv: readonly string[];
  listen(): Promise<Omit<BareTerminal, 'pane'>>;
}

/**
 * Programs in a tmux of their own, without signalbox, and one control client: the floor of a paste.
 */
export class BareTerminals {
  readonly #folder: string;
  readonly #agent: string;
  readonly terminals: BareTerminal[] = [];
  #client: ControlClient | undefined;

  constructor(folder: string, dist: string) {
    this.#folder = folder;
    this.#agent = join(dist, 'scripted-agent.cjs');
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  }

  async open(count: number, kind: 'scripted' | 'plain' = 'scripted'): Promise<void> {
    for (let i = 0; i < count; i++) {
      const { env, argv, listen } = kind === 'plain' ? this.#plain(i) : this.#scripted(i);
      const make = i === 0 ? ['new-session', '-d', '-x', '120', '-y', '40'] : ['new-window', '-d'];
      const pane = await this.#tmux([...make, '-P', '-F', '#{pane_id}', '-e', env, ...argv]);
      this.terminals.push({ pane, ...(await listen()) });
    }
    this.#client = new ControlClient(this.#socket);
  }

  get client(): ControlClient {
    if (!this.#client) throw new Error('It is not open.');
    return this.#client;
  }

  async close(): Promise<void> {
    for (const terminal of this.terminals) terminal.close();
    await this.#client?.close();
    await this.#tmux(['kill-server']).catch(() => undefined);
  }

  #scripted(i: number): Program {
    const path = join(this.#folder, `${i}.sock`);
    return {
      env: `SCRIPTED_AGENT_CONTROL=${path}`,
      argv: [process.execPath, this.#agent],
      listen: async () => {
        const control = await openControl(path, 60_000);
        const input = await InputWatch.open((listener) => control.watchInput(listener));
        return { input, close: () => control.close() };
      },
    };
  }

  #plain(i: number): Program {
    const pipe = openPipe(this.#folder, `${i}`);
    return {
      env: `BENCH_PIPE=${pipe.path}`,
      argv: plainDescription.command,
      listen: async () => {
        const input = await InputWatch.open(async (listener) => pipe.onBytes(listener));
        return { input, close: () => undefined };
      },
    };
  }

  get #socket(): string {
    return join(this.#folder, 'tmux.sock');
  }

  async #tmux(args: readonly string[]): Promise<string> {
    const { PATH = '', HOME = '' } = process.env;
    const env = { PATH, HOME, LANG: 'C.UTF-8', TERM: 'xterm-256color' };
    const command = ['-u', '-S', this.#socket, '-f', '/dev/null', ...args];
    return (await run('tmux', command, { env })).stdout.trim();
  }
}
