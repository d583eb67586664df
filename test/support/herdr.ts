import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { systemClock } from '../../src/shared/clock.ts';
import type { Backend, Terminal, WantedTerminal } from '../../src/terminals/backend.ts';
import { openHerdrBackend } from '../../src/terminals/herdr/backend.ts';
import { findPlace } from '../../src/terminals/herdr/place.ts';
import { ask } from '../../src/terminals/herdr/request.ts';
import { writeHerdrScript } from '../fakes/herdr/start.ts';
import type { Heard } from './tmux.ts';
import { waitUntil } from './wait-until.ts';

export type HerdrVersion = '0.8.0' | '0.6.8';

/** A real one, where HERDR_BIN names it: then only what it is, and not another version, can be tested. */
export const realHerdr = process.env['HERDR_BIN'];

/**
 * What a process must have in its environment to find, and to start, a herdr of that folder's own: the fake in that version,
 * or the real one.
 */
export function installHerdr(
  folder: string,
  version: HerdrVersion,
  vars: Vars = {},
): Readonly<Record<string, string>> {
  const bin = join(folder, 'bin');
  const env = {
    PATH: `${bin}:${process.env['PATH'] ?? ''}`,
    XDG_CONFIG_HOME: join(folder, 'c'),
    XDG_STATE_HOME: join(folder, 's'),
  };
  mkdirSync(bin, { recursive: true });
  if (realHerdr) {
    symlinkSync(realHerdr, join(bin, 'herdr'));
    return env;
  }
  const inner = join(folder, 'fake');
  mkdirSync(inner, { recursive: true });
  const script = writeHerdrScript(inner);
  const all = { FAKE_HERDR_VERSION: version, FAKE_HERDR_WITHOUT: 'slow-first-line', ...vars };
  const words = Object.entries(all).map(([name, value]) => `${name}='${value}'`);
  const text = `#!/bin/sh\n${words.join(' ')} exec '${script}' "$@"\n`;
  writeFileSync(join(bin, 'herdr'), text, { mode: 0o755 });
  return env;
}

/** Ends the server behind that socket, and all that runs in it. */
export async function stopHerdr(socket: string): Promise<void> {
  const tell = (method: string) => ask(socket, { method, deadlineMs: 10_000 });
  await tell('server.stop').catch(() => undefined);
  await waitUntil('the end of herdr', () =>
    tell('ping').then(
      () => false,
      () => true,
    ),
  );
}

type Vars = Readonly<Record<string, string>>;

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
  #count = 0;

  constructor(version: HerdrVersion, vars: Vars = {}) {
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
      session: 'signalbox',
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
    const options = { stateFolder, ledgerId: 'ldg_test', env: this.env, session: 'signalbox' };
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
