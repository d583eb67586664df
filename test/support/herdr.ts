import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type Clock, systemClock } from '../../src/shared/clock.ts';
import { endTree, listTree } from '../../src/shared/process-tree.ts';
import type { Backend } from '../../src/terminals/backend.ts';
import { openHerdrBackend } from '../../src/terminals/herdr/backend.ts';
import { findPlace } from '../../src/terminals/herdr/place.ts';
import { ask } from '../../src/terminals/herdr/request.ts';
import type { Terminal } from '../../src/terminals/terminal.ts';
import { configuration } from '../fakes/herdr/start.ts';
import { BackendWorld } from './backend-world.ts';
import { type HerdrVersion, installHerdr, stopHerdr, type Vars } from './install-herdr.ts';

/** One state folder, one herdr session of its own. Gone when the test is over. */
export class HerdrWorld extends BackendWorld {
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
  readonly backend: Backend;
  readonly #session: string;

  /** `default` is a person's own session. */
  constructor(version: HerdrVersion, vars: Vars = {}, session = 'signalbox') {
    super();
    this.#session = session;
    // Short: a socket's path may have 108 bytes.
    this.folder = mkdtempSync(join(tmpdir(), 'sh-'));
    const found = installHerdr(this.folder, version, vars);
    this.env = { ...found, HOME: this.folder, SHELL: '/bin/sh' };
    // A person's own settings, which count in every session but ours: nothing looks at the network.
    mkdirSync(join(this.folder, 'c', 'herdr'), { recursive: true });
    writeFileSync(join(this.folder, 'c', 'herdr', 'config.toml'), configuration);
    this.backend = this.open();
    onTestFinished(() => this.#dispose());
  }

  /** Another backend on the same state folder, as after a restart of the daemon. */
  open(ledgerId = 'ldg_test', clock: Clock = systemClock): Backend {
    return openHerdrBackend({
      stateFolder: join(this.folder, 'state'),
      ledgerId,
      session: this.#session,
      env: this.env,
      clock,
      events: this.events(),
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
    return ask(this.socket, { method, params, deadlineMs: 60_000 });
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

  async closeByHand(terminal: Terminal): Promise<void> {
    await this.ask('pane.close', { pane_id: await this.paneOf(terminal) });
  }

  /** Its address, for now. */
  async paneOf({ pane }: Terminal): Promise<string> {
    const { panes } = (await this.ask('pane.list')) as { panes: Record<string, unknown>[] };
    return String(panes.find(({ terminal_id }) => terminal_id === pane)?.['pane_id']);
  }

  async #dispose(): Promise<void> {
    await this.backend.close();
    await stopHerdr(this.socket);
    // One that was only just starting could not be told.
    await endTree(() => listTree(undefined, [`HOME=${this.folder}`]), systemClock, 500);
    rmSync(this.folder, { recursive: true, force: true });
  }
}

export async function openHerdrWorld(
  version: HerdrVersion,
  vars: Vars = {},
  session = 'signalbox',
): Promise<HerdrWorld> {
  return new HerdrWorld(version, vars, session).start();
}
