import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { findCli, type InstalledCli } from '../find-cli.ts';
import { isNetworkClosed } from '../network.ts';
import type { CliName } from '../versions.ts';
import { writeClaudeCodeHome } from './claude-code.ts';
import { writeCodexHome } from './codex.ts';
import { writeCopilotHome } from './copilot.ts';
import { writeGeminiHome } from './gemini.ts';
import type { HomePlace, HomeSettings, HomeWish } from './home-wish.ts';
import { writeKimiHome } from './kimi.ts';
import { writeOpenCodeHome } from './opencode.ts';
import { writeQwenHome } from './qwen.ts';

export interface LabHome {
  readonly cli: InstalledCli;
  /** Everything below lies in here. */
  readonly folder: string;
  readonly home: string;
  /** A folder to work in. */
  readonly cwd: string;
  /** The whole environment, PATH with the CLI's bin folder included. */
  readonly env: Readonly<Record<string, string>>;
  /** What no configuration file can say. */
  readonly args: readonly string[];
  /** Removes the folder. End the programs first. */
  remove(): void;
}

/**
 * Writes a throw-away home in which a CLI talks to the mock and asks nothing that the wish does not
 * ask for. The answers to a person's questions (trust, login, keys, updates) are given here and
 * nowhere else: the product never gives them.
 */
export function openHome(name: CliName, wish: HomeWish): LabHome {
  if (wish.login === 'ask' && !isNetworkClosed()) {
    throw new Error('A CLI without an account looks for one: login "ask" needs a closed network.');
  }
  const cli = findCli(name);
  const folder = mkdtempSync(join(tmpdir(), `signalbox-lab-${name}-`));
  const place = { home: join(folder, 'home'), cwd: join(folder, 'work'), cli };
  // OpenCode leaves 14 MB of libraries in TMPDIR at each start, and Codex warns of a home inside
  // it.
  const tmp = join(folder, 'tmp');
  for (const made of [place.home, place.cwd, tmp]) mkdirSync(made);
  const { env, args } = writers[name](place, wish);
  const others = (wish.besides ?? []).map((other) => {
    const found = findCli(other);
    return { ...writers[other]({ ...place, cli: found }, wish), binFolder: found.binFolder };
  });
  const bins = [cli.binFolder, ...others.map(({ binFolder }) => binFolder)];
  const path = [...bins, dirname(process.execPath), '/usr/local/bin', '/usr/bin', '/bin'];
  return {
    ...place,
    folder,
    env: {
      PATH: [...new Set(path)].join(delimiter),
      HOME: place.home,
      USER: 'lab',
      LOGNAME: 'lab',
      SHELL: '/bin/bash',
      LANG: 'C.UTF-8',
      ...(wish.colors === 'truecolor' ? { COLORTERM: 'truecolor' } : {}),
      TMPDIR: tmp,
      ...Object.assign({}, ...others.map((other) => other.env)),
      ...env,
    },
    args,
    remove: () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }),
  };
}

const writers: Readonly<Record<CliName, (place: HomePlace, wish: HomeWish) => HomeSettings>> = {
  'claude-code': writeClaudeCodeHome,
  codex: writeCodexHome,
  gemini: writeGeminiHome,
  opencode: writeOpenCodeHome,
  copilot: writeCopilotHome,
  qwen: writeQwenHome,
  kimi: writeKimiHome,
};
