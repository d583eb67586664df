import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, symlinkSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { LabHome } from '../../../test/lab/homes/home.ts';
import { writeText } from '../../../test/lab/homes/home-wish.ts';
import { endPlace, placeMark, socketIn } from '../end-place.ts';
import { deckConfig } from './commands.ts';
import { deckEnv } from './env.ts';

/** A home in which agent-deck and its CLI find nothing of the reader's. All in it ends together. */
export class DeckPlace {
  readonly home: LabHome;
  readonly env: Readonly<Record<string, string>>;
  readonly socket: string;
  readonly #bin: string;

  /** In a home that a CLI of the lab was given. */
  constructor(home: LabHome, bin: string) {
    this.home = home;
    this.#bin = bin;
    const [tmux, bins] = [join(home.folder, 'tmux'), join(home.folder, 'bin')];
    for (const made of [tmux, bins]) mkdirSync(made);
    // Its hooks call it by its name.
    symlinkSync(bin, join(bins, 'agent-deck'));
    const path = [bins, home.env['PATH']].join(delimiter);
    const own = deckEnv({ home: home.home, tmux, path });
    this.env = { ...home.env, ...own, [placeMark]: home.folder };
    this.socket = socketIn(tmux);
    writeText(join(own['XDG_CONFIG_HOME'] ?? '', 'agent-deck', 'config.toml'), deckConfig);
  }

  /** One command to its end. */
  async run(args: readonly string[]): Promise<{ readonly code: number | null; out: string }> {
    const child = spawn(this.#bin, args, {
      cwd: this.home.cwd,
      env: this.env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const said: Buffer[] = [];
    child.stdout.on('data', (part: Buffer) => said.push(part));
    child.stderr.on('data', (part: Buffer) => said.push(part));
    const [code] = await once(child, 'close');
    return { code, out: Buffer.concat(said).toString() };
  }

  async close(): Promise<void> {
    await endPlace('agent-deck', this.socket, this.home.folder);
    this.home.remove();
  }
}
