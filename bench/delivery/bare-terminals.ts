import { execFile } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Control, openControl } from '../../test/fakes/scripted-agent.ts';
import { ControlClient } from './control-client.ts';
import { InputWatch } from './input-watch.ts';

const run = promisify(execFile);

interface BareTerminal {
  readonly pane: string;
  readonly control: Control;
  readonly input: InputWatch;
}

/** Scripted agents in a tmux of their own, without signalbox, and one control client: the floor of a paste. */
export class BareTerminals {
  readonly #folder: string;
  readonly #program: string;
  readonly terminals: BareTerminal[] = [];
  #client: ControlClient | undefined;

  constructor(folder: string, dist: string) {
    this.#folder = folder;
    this.#program = join(dist, 'scripted-agent.cjs');
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  }

  async open(count: number): Promise<void> {
    for (let i = 0; i < count; i++) {
      const controlPath = join(this.#folder, `${i}.sock`);
      const make = i === 0 ? ['new-session', '-d', '-x', '120', '-y', '40'] : ['new-window', '-d'];
      const pane = await this.#tmux([
        ...[...make, '-P', '-F', '#{pane_id}', '-e', `SCRIPTED_AGENT_CONTROL=${controlPath}`],
        ...[process.execPath, this.#program],
      ]);
      const control = await openControl(controlPath, 60_000);
      this.terminals.push({
        pane,
        control,
        input: await InputWatch.open((listener) => control.watchInput(listener)),
      });
    }
    this.#client = new ControlClient(this.#socket);
  }

  get client(): ControlClient {
    if (!this.#client) throw new Error('It is not open.');
    return this.#client;
  }

  async close(): Promise<void> {
    for (const { control } of this.terminals) control.close();
    await this.#client?.close();
    await this.#tmux(['kill-server']).catch(() => undefined);
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
