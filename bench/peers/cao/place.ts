import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type LabHome, openHome } from '../../../test/lab/homes/home.ts';
import { writeJson, writeText } from '../../../test/lab/homes/home-wish.ts';
import type { CliName } from '../../../test/lab/versions.ts';
import { endPlace, placeMark, socketIn } from '../end-place.ts';
import { CaoServer, findFreePort } from './server.ts';

export const caoProviders: Readonly<Partial<Record<CliName, string>>> = {
  'claude-code': 'claude_code',
  codex: 'codex',
};

/** The profile of every agent here; CAO's own profiles say the same with more words. */
export const profile = 'lab';

/** A home in which CAO and its CLI find nothing of the reader's. Everything in it ends together. */
export class CaoPlace {
  readonly home: LabHome;
  /** CAO's programs. */
  readonly bin: string;
  readonly server: CaoServer;
  readonly env: Readonly<Record<string, string>>;
  readonly #tmux: string;

  private constructor(home: LabHome, bin: string, port: number) {
    this.home = home;
    this.bin = bin;
    this.#tmux = join(home.folder, 'tmux');
    mkdirSync(this.#tmux);
    const PATH = [bin, home.env['PATH']].join(delimiter);
    const CAO_API_PORT = String(port);
    this.env = {
      ...home.env,
      PATH,
      CAO_API_PORT,
      TMUX_TMPDIR: this.#tmux,
      [placeMark]: home.folder,
    };
    const log = join(home.folder, 'cao-server.log');
    this.server = new CaoServer({ bin, port, env: this.env, cwd: home.cwd, log });
  }

  static async open(cli: CliName, bin: string, mockUrl: string): Promise<CaoPlace> {
    const port = await findFreePort();
    const place = new CaoPlace(openHome(cli, { mockUrl }), bin, port);
    place.#writeHome(cli, port);
    await place.server.start().catch(async (error: unknown) => {
      await place.close();
      throw error;
    });
    return place;
  }

  /** Of the server that CAO starts. */
  get socket(): string {
    return socketIn(this.#tmux);
  }

  /** What the server said last, for a failure. */
  get lastWords(): string {
    const text = readFileSync(join(this.home.folder, 'cao-server.log'), 'utf8');
    return text.trim().split('\n').slice(-5).join('\n');
  }

  async close(): Promise<void> {
    await endPlace('CAO', this.socket, this.home.folder);
    this.home.remove();
  }

  #writeHome(cli: CliName, port: number): void {
    const { home, env } = this.home;
    const lines = [
      `name: ${profile}`,
      'description: An agent of the bench.',
      `provider: ${caoProviders[cli]}`,
      'role: developer',
      // It asks before a tool, as an agent of ours does: root may not skip that (2.1.325).
      ...(cli === 'claude-code' ? ['permissionMode: default'] : []),
      'mcpServers:',
      '  cao-mcp-server:',
      '    type: stdio',
      '    command: cao-mcp-server',
      '    args: []',
      // Codex 0.166.0 hands down no variable that is not named.
      `    env: { CAO_API_PORT: "${port}" }`,
    ];
    const store = join(home, '.aws', 'cli-agent-orchestrator', 'agent-store');
    writeText(join(store, `${profile}.md`), `---\n${lines.join('\n')}\n---\n\nYou are an agent.\n`);
    // Its terminals begin with a login shell, which makes its own PATH.
    writeFileSync(join(home, '.bash_profile'), `export PATH='${this.env['PATH']}'\n`);
    if (cli !== 'claude-code') return;
    // CAO takes CLAUDE* out of the environment; and its tools are allowed, as ours are.
    const kept = Object.entries(env).filter(([name]) => name.startsWith('CLAUDE'));
    writeJson(join(home, '.claude', 'settings.json'), {
      permissions: { allow: ['mcp__cao-mcp-server'] },
      env: Object.fromEntries(kept),
    });
  }
}
