import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { type Clock, systemClock } from '../../src/shared/clock.ts';
import type { Backend } from '../../src/terminals/backend.ts';
import type { Terminal } from '../../src/terminals/terminal.ts';
import { openTmuxBackend } from '../../src/terminals/tmux/backend.ts';
import { typingConditions } from '../../src/terminals/tmux/may-type.ts';
import { stopTmuxServer } from '../../src/terminals/tmux/stop-server.ts';
import { BackendWorld } from './backend-world.ts';

export const hasTmux = spawnSync('tmux', ['-V']).status === 0;

export interface WorldOptions {
  readonly stateFolder?: string;
  readonly ledgerId?: string;
  readonly env?: NodeJS.ProcessEnv;
  readonly clock?: Clock;
}

/**
 * One state folder with its own tmux server, and the hand of a person in it. Gone when the test is
 * over.
 */
export class TmuxWorld extends BackendWorld {
  readonly folder: string;
  readonly backend: Backend;
  /** The setting, which a test may change. */
  attachKey = 'F9';
  readonly options: Required<WorldOptions>;

  constructor(options: WorldOptions = {}) {
    super();
    this.folder = mkdtempSync(join(tmpdir(), 'sbx-'));
    const { stateFolder = join(this.folder, 'state'), ledgerId = 'ldg_test' } = options;
    this.options = {
      stateFolder,
      ledgerId,
      env: options.env ?? process.env,
      clock: options.clock ?? systemClock,
    };
    this.backend = this.open();
    onTestFinished(() => this.#dispose());
  }

  /** Another backend on the same state folder, as after a restart of the daemon. */
  open(ledgerId = this.options.ledgerId): Backend {
    return openTmuxBackend({
      ...this.options,
      ledgerId,
      attachKey: async () => this.attachKey,
      events: this.events((state) => {
        if (state.state === 'ready') this.#record();
      }),
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
      timeout: 60_000,
    });
    if (ran.status !== 0) throw new Error(`tmux ${args.join(' ')}: ${ran.stderr}`);
    return ran.stdout.trimEnd();
  }

  readonly ownNames = ['TERM', 'TMUX', 'TMUX_PANE', 'TERM_PROGRAM', 'TERM_PROGRAM_VERSION', 'PWD'];
  readonly attachWords = ['attach-session'];

  async type({ pane }: Terminal, text: string): Promise<void> {
    this.tmux('send-keys', '-l', '-t', pane, text);
  }

  async closeByHand({ pane }: Terminal): Promise<void> {
    this.tmux('kill-pane', '-t', pane);
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

  /**
   * The server's own record of what it is told; at the end it is read for what must never be sent.
   */
  #record(): void {
    spawnSync('tmux', ['-S', this.socket, 'set-option', '-s', 'message-limit', '20000']);
  }

  /** Facts of tmux 3.3a to 3.7c: each of these takes the server down, and every agent with it. */
  #checkRecord(): void {
    const shown = spawnSync('tmux', ['-S', this.socket, 'show-messages'], {
      encoding: 'utf8',
      maxBuffer: 1e9,
    });
    if (shown.status !== 0) return; // The test has ended the server.
    const sent = shown.stdout.split('\n').filter((line) => line.includes(' command: '));
    const killers = /command: (respawn|pipe-pane|set(-window)?-option .*window-size "?manual)/;
    expect(sent.length).toBeGreaterThan(0);
    expect(sent.filter((line) => killers.test(line))).toEqual([]);
    // A paste into a dead pane is one of them too, and rule 45 has more: all is asked in the same
    // step. The newest comes first.
    for (const [i, line] of sent.entries()) {
      const [, pane] = /command: (?:paste-buffer|send-keys -H) .*-t "?(%\d+)/.exec(line) ?? [];
      if (pane === undefined) continue;
      const guard = sent.slice(i).find((before) => before.includes('command: if-shell'));
      for (const condition of typingConditions(pane)) expect(guard).toContain(condition);
    }
  }
}

export async function openTmuxWorld(options: WorldOptions = {}): Promise<TmuxWorld> {
  return new TmuxWorld(options).start();
}
