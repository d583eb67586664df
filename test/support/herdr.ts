import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { systemClock } from '../../src/shared/clock.ts';
import type { Backend, Terminal, WantedTerminal } from '../../src/terminals/backend.ts';
import { openHerdrBackend } from '../../src/terminals/herdr/backend.ts';
import { findPlace } from '../../src/terminals/herdr/place.ts';
import { ask } from '../../src/terminals/herdr/request.ts';
import { type HerdrVersion, installHerdr, stopHerdr, type Vars } from './install-herdr.ts';
import type { Heard } from './tmux.ts';
import { waitUntil } from './wait-until.ts';

/** One state folder, one herdr session of its own. Gone when the test is over. */
export class HerdrWorld {
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
  readonly heard: Heard = {
    bytes: new Map(),
    states: [],
    troubles: [],
    natives: [],
    hints: [],
    changes: 0,
  };
  readonly backend: Backend;
  readonly #session: string;
  #count = 0;

  /** `default` is a person's own session. */
  constructor(version: HerdrVersion, vars: Vars = {}, session = 'signalbox') {
    this.#session = session;
    // Short: a socket's path may have 108 bytes.
    this.folder = mkdtempSync(join(tmpdir(), 'sh-'));
    const found = installHerdr(this.folder, version, vars);
    this.env = { ...found, HOME: this.folder, SHELL: '/bin/sh' };
    this.backend = this.open();
    onTestFinished(() => this.#dispose());
  }

  /** Another backend on the same state folder, as after a restart of the daemon. */
  open(ledgerId = 'ldg_test'): Backend {
    const { heard } = this;
    return openHerdrBackend({
      stateFolder: join(this.folder, 'state'),
      ledgerId,
      session: this.#session,
      env: this.env,
      clock: systemClock,
      events: {
        output: (agent, bytes) => {
          heard.hints.push(agent);
          heard.bytes.set(agent, (heard.bytes.get(agent) ?? 0) + bytes);
        },
        changed: () => heard.changes++,
        native: (agent, native) => heard.natives.push([agent, native]),
        connection: (state) => heard.states.push(state),
        logTrouble: (agent, trouble) => heard.troubles.push([agent, trouble]),
      },
    });
  }

  async start(): Promise<this> {
    await this.backend.start();
    return this;
  }

  get socket(): string {
    const stateFolder = join(this.folder, 'state');
    const options = { stateFolder, ledgerId: 'ldg_test', env: this.env, session: this.#session };
    return findPlace(options).socket;
  }

  /** What a person, or another program, does in the server. */
  ask(method: string, params: Record<string, unknown> = {}): Promise<Record<string, unknown>> {
    return ask(this.socket, { method, params, deadlineMs: 10_000 });
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

  readonly ownNames = [
    'TERM',
    'COLORTERM',
    'PWD',
    ...['ENV', 'SOCKET_PATH', 'BIN_PATH', 'WORKSPACE_ID', 'TAB_ID', 'PANE_ID'].map(
      (name) => `HERDR_${name}`,
    ),
  ];
  readonly attachWords = ['terminal', 'attach'];

  async type(terminal: Terminal, text: string): Promise<void> {
    await this.ask('pane.send_text', { pane_id: await this.paneOf(terminal), text });
  }

  /** Its address, for now. */
  async paneOf({ pane }: Terminal): Promise<string> {
    const { panes } = (await this.ask('pane.list')) as { panes: Record<string, unknown>[] };
    return String(panes.find(({ terminal_id }) => terminal_id === pane)?.['pane_id']);
  }

  async #dispose(): Promise<void> {
    await this.backend.close();
    await stopHerdr(this.socket);
    rmSync(this.folder, { recursive: true, force: true });
  }
}

export async function openHerdrWorld(version: HerdrVersion, vars: Vars = {}): Promise<HerdrWorld> {
  return new HerdrWorld(version, vars).start();
}
