import { spawnSync } from 'node:child_process';
import { accessSync, constants, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { NotStarted } from '../../suite.ts';
import { deckEnv } from './env.ts';

/** Of which the command lines in `commands.ts` are known. */
export const deckVersion = '1.14.0';
export const deckVariable = 'AGENT_DECK_BIN';

/** What it prints for its version may take as long as its start on a busy machine. */
const versionMs = 20_000;

/**
 * The program that the reader named, not run yet; undefined where none is named. This bench does
 * not install agent-deck.
 */
export function nameDeck(env: NodeJS.ProcessEnv): string | undefined {
  const named = env[deckVariable];
  if (named === undefined || named === '') return undefined;
  const bin = resolve(named);
  refuse(bin, judgeFile(bin));
  return bin;
}

/**
 * The same, after it has said its version. Whoever named something else than the agent-deck that
 * this driver knows must not get a table without it, or one of another program.
 */
export function findDeck(env: NodeJS.ProcessEnv): string | undefined {
  const bin = nameDeck(env);
  if (bin !== undefined) refuse(bin, judgeVersion(askVersion(bin)));
  return bin;
}

function refuse(bin: string, why: string | undefined): void {
  if (why === undefined) return;
  throw new NotStarted(
    `Not started: ${deckVariable} names ${bin}, ${why}. Name an agent-deck ${deckVersion}, or unset it.`,
  );
}

function judgeFile(bin: string): string | undefined {
  const found = statSync(bin, { throwIfNoEntry: false });
  if (!found) return 'which does not exist';
  if (!found.isFile()) return 'which is not a file';
  try {
    accessSync(bin, constants.X_OK);
  } catch {
    return 'which you may not execute';
  }
  return undefined;
}

/** In a home of its own: whatever the program is, it sees and changes nothing of the reader's. */
function askVersion(bin: string): { readonly said: string; readonly failed?: string } {
  const home = mkdtempSync(join(tmpdir(), 'signalbox-deck-'));
  try {
    const { stdout, status, signal, error } = spawnSync(bin, ['version'], {
      cwd: home,
      env: deckEnv({ home, tmux: home, path: '/usr/local/bin:/usr/bin:/bin' }),
      encoding: 'utf8',
      timeout: versionMs,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const failed = error?.message ?? (status === 0 ? undefined : `exit ${signal ?? status}`);
    return { said: (stdout ?? '').trim(), ...(failed === undefined ? {} : { failed }) };
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

function judgeVersion({ said, failed }: ReturnType<typeof askVersion>): string | undefined {
  const version = /^Agent Deck v(\S+)/.exec(said)?.[1];
  if (version === undefined) {
    const says = failed ?? `it says ${JSON.stringify(said.split('\n')[0]?.slice(0, 80) ?? '')}`;
    return `which is not agent-deck (\`version\`: ${says})`;
  }
  if (version === deckVersion) return undefined;
  return `which is agent-deck ${version}, and this bench knows the command lines of ${deckVersion}`;
}
