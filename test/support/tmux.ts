import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { systemClock } from '../../src/shared/clock.ts';
import type {
  Backend,
  BackendState,
  NativeStatus,
  Terminal,
  WantedTerminal,
} from '../../src/terminals/backend.ts';
import { openTmuxBackend } from '../../src/terminals/tmux/backend.ts';
import { stopTmuxServer } from '../../src/terminals/tmux/stop-server.ts';
import { waitUntil } from './wait-until.ts';

export const hasTmux = spawnSync('tmux', ['-V']).status === 0;

/** What a backend told while a test ran. */
export interface Heard {
  readonly bytes: Map<string, number>;
  readonly states: BackendState[];
  readonly troubles: [agent: string, trouble: string | undefined][];
  /** Agents whose output was hinted at. */
  readonly hints: string[];
  readonly natives: [agent: string, native: NativeStatus | undefined][];
  changes: number;
}

export interface WorldOptions {
  readonly stateFolder?: string;
  readonly ledgerId?: string;
  readonly env?: NodeJS.ProcessEnv;
}

/** One state folder with its own tmux server, and the hand of a person in it. Gone when the test is over. */
export class TmuxWorld {
  readonly folder: string;
  readonly heard: Heard = {
    bytes: new Map(),
    states: [],
    troubles: [],
    natives: [],
    hints: [],
    changes: 0,
  };
  readonly backend: Backend;
  readonly options: Required<WorldOptions>;
  #count = 0;

  constructor(options: WorldOptions = {}) {
    this.folder = mkdtempSync(join(tmpdir(), 'sbx-'));
    const { stateFolder = join(this.folder, 'state'), ledgerId = 'ldg_test' } = options;
    this.options = { stateFolder, ledgerId, env: options.env ?? process.env };
    this.backend = this.open();
    onTestFinished(() => this.#dispose());
  }

  /** Another backend on the same state folder, as after a restart of the daemon. */
  open(ledgerId = this.options.ledgerId): Backend {
    const { heard } = this;
    return openTmuxBackend({
      ...this.options,
      ledgerId,
      clock: systemClock,
      events: {
        output: (agent, bytes) => {
          heard.hints.push(agent);
          heard.bytes.set(agent, (heard.bytes.get(agent) ?? 0) + bytes);
        },
        changed: () => heard.changes++,
        native: (agent, native) => heard.natives.push([agent, native]),
        connection: (state) => {
          heard.states.push(state);
          if (state.state === 'ready') this.#record();
        },
        logTrouble: (agent, trouble) => heard.troubles.push([agent, trouble]),
      },
    });
  }

  async start(): Promise<this> {
    await this.backend.start();
    return this;
  }

  get socket(): string {
    return join(this.options.stateFolder, 'tmux.sock');
  }

  /** What a person does in the server, from outside. */
  tmux(...args: string[]): string {
    const ran = spawnSync('tmux', ['-u', '-S', this.socket, ...args], {
      encoding: 'utf8',
      timeout: 10_000,
    });
    if (ran.status !== 0) throw new Error(`tmux ${args.join(' ')}: ${ran.stderr}`);
    return ran.stdout.trimEnd();
  }

  wanted(argv: readonly string[], more: Partial<WantedTerminal> = {}): WantedTerminal {
    const agent = `agt_${++this.#count}`;
    return {
      agent,
      epoch: 1,
      name: `agent-${this.#count}`,
      argv,
      env: { PATH: process.env['PATH'] ?? '', HOME: this.folder },
      cwd: this.folder,
      columns: 100,
      rows: 30,
      logPath: join(this.folder, 'logs', `${agent}.log`),
      helpers: [],
      ...more,
    };
  }

  launch(argv: readonly string[], more: Partial<WantedTerminal> = {}): Promise<Terminal> {
    return this.backend.launch(this.wanted(argv, more));
  }

  /** Launches and waits until its screen shows a text. */
  async launchUntil(text: string, argv: readonly string[], more: Partial<WantedTerminal> = {}) {
    const terminal = await this.launch(argv, more);
    await this.untilScreen(terminal, text);
    return terminal;
  }

  untilScreen(
    terminal: Terminal,
    text: string,
    backend = this.backend,
  ): Promise<readonly string[]> {
    return waitUntil(`"${text}" on the screen`, async () => {
      const look = await backend.look(terminal);
      return look !== 'gone' && look.lines.join('\n').includes(text) ? look.lines : undefined;
    });
  }

  sight(terminal: Terminal, backend = this.backend) {
    return backend
      .list()
      .then((all) => all.find(({ terminal: { pane } }) => pane === terminal.pane));
  }

  readonly ownNames = ['TERM', 'TMUX', 'TMUX_PANE', 'TERM_PROGRAM', 'TERM_PROGRAM_VERSION', 'PWD'];
  readonly attachWords = ['attach-session'];

  async type({ pane }: Terminal, text: string): Promise<void> {
    this.tmux('send-keys', '-l', '-t', pane, text);
  }

  serverPid(): number {
    return Number(this.tmux('display-message', '-p', '#{pid}'));
  }

  /** The `tmux -C` that the backend reads from. */
  clientPid(): number {
    const clients = this.tmux('list-clients', '-F', '#{client_control_mode} #{client_pid}');
    return Number(/^1 (\d+)$/m.exec(clients)?.[1]);
  }

  async #dispose(): Promise<void> {
    try {
      this.#checkRecord();
    } finally {
      await this.backend.close();
      await stopTmuxServer(this.options);
      rmSync(this.folder, { recursive: true, force: true });
    }
  }

  /** The server's own record of what it is told; at the end it is read for what must never be sent. */
  #record(): void {
    spawnSync('tmux', ['-S', this.socket, 'set-option', '-s', 'message-limit', '20000']);
  }

  /** Facts of tmux 3.3a to 3.7c: each of these takes the server down, and every agent with it. */
  #checkRecord(): void {
    const shown = spawnSync('tmux', ['-S', this.socket, 'show-messages'], { encoding: 'utf8' });
    if (shown.status !== 0) return; // The test has ended the server.
    const sent = shown.stdout.split('\n').filter((line) => line.includes(' command: '));
    const killers = /command: (respawn|pipe-pane|set(-window)?-option .*window-size "?manual)/;
    expect(sent.length).toBeGreaterThan(0);
    expect(sent.filter((line) => killers.test(line))).toEqual([]);
    // A paste into a dead pane is one of them too: that is asked in the same step. The newest comes first.
    for (const [i, line] of sent.entries()) {
      if (!line.includes('command: paste-buffer')) continue;
      const guard = sent.slice(i).find((before) => before.includes('command: if-shell'));
      expect(guard).toContain('#{==:#{pane_dead},0}');
    }
  }
}

export async function openTmuxWorld(options: WorldOptions = {}): Promise<TmuxWorld> {
  return new TmuxWorld(options).start();
}
