import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { daemonLockPath, type Folders } from '../../config/folders.ts';
import type { Uninstalled } from '../../protocol/printed.ts';
import { systemClock } from '../../shared/clock.ts';
import { Fault } from '../../shared/fault.ts';
import { shellWord } from '../../shared/shell-word.ts';
import { tellDone } from '../../shared/unwritten.ts';
import { type FileLock, takeFileLock } from '../../store/sqlite/file-lock.ts';
import { requireUserOrSure } from '../direct/consent.ts';
import { endHome } from './end-home.ts';
import { type Purged, purge } from './purge.ts';
import { type Home, surveyHomes } from './survey.ts';

type EndedHome = Uninstalled['homes'][number];

export interface Wish {
  readonly purge: boolean;
  /** `--yes`: nobody is asked. */
  readonly isSure: boolean;
}

/** Ends everything of signalbox in this home and the default one. For the user alone. */
export async function uninstall(
  env: NodeJS.ProcessEnv,
  wish: Wish,
  means: {
    readonly ask: (homes: readonly Home[]) => Promise<boolean>;
    readonly tell: (sentence: string) => void;
  },
): Promise<Uninstalled> {
  await requireUserOrSure(env, 'uninstall signalbox', wish.isSure);
  const homes = await surveyHomes(env, means.tell);
  const command = uninstallLine(fileURLToPath(import.meta.url), process.execPath);
  const isNeeded = homes.some(({ refused }) => refused === undefined);
  if (isNeeded && !wish.isSure && !(await means.ask(homes))) {
    return { ended: false, homes: homes.map(describe), command };
  }
  const done: EndedHome[] = [];
  for (const home of homes) done.push(await leave(home, wish));
  return { ended: true, homes: done, command };
}

/** One home that fails keeps nobody from the other. */
async function leave(home: Home, wish: Wish): Promise<EndedHome> {
  if (home.refused) return { ...describe(home), error: words(home.refused) };
  try {
    const { daemon, tmux, failed, notes } = await endHome(home);
    const isPurged = wish.purge && failed.length === 0;
    const ended = {
      ...{ ...describe(home), daemon, tmux },
      ...(failed.length > 0 ? { failed } : {}),
      // Of a ledger that is removed nobody needs to know.
      ...(notes.length > 0 && !isPurged ? { notes } : {}),
    };
    // What still runs needs its folder.
    return isPurged ? { ...ended, ...(await purgeAlone(home.folders)) } : ended;
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    const done = 'Some of what runs there may have ended already.';
    const told = tellDone(done, error);
    return { ...describe(home), error: words(told instanceof Fault ? told : error) };
  }
}

/** Under the daemon's lock: one that somebody has started since needs its ledger. */
async function purgeAlone(folders: Folders): Promise<Purged> {
  const lock = takeLock(daemonLockPath(folders));
  if (!lock) {
    throw new Fault(
      'wrong-state',
      'Nothing was removed, because a daemon has been started here since.',
      'Run `signalbox uninstall --purge` again.',
    );
  }
  try {
    return await purge(folders);
  } finally {
    lock.release();
  }
}

function takeLock(path: string): FileLock | undefined {
  try {
    return takeFileLock(path, systemClock);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const message = `Nothing was removed, because ${path} cannot be locked: ${why}.`;
    throw new Fault('ledger-unwritable', message, 'Make the folder writable, then try again.', {
      cause: error,
    });
  }
}

function describe({ folders: { state, config }, agents }: Home): EndedHome {
  return { state, config, agents };
}

function words({ code, message, next }: Fault): NonNullable<EndedHome['error']> {
  return { code, message, next };
}

/**
 * npm knows where it put the package by its prefix alone: without --prefix it means that of the
 * Node that runs it.
 */
export function uninstallLine(program: string, node: string): string {
  const [, prefix] = /^(.*)\/lib\/node_modules\/signalbox\/dist\/[^/]+$/.exec(program) ?? [];
  if (prefix === undefined) return 'npm uninstall -g signalbox';
  const isUsual = prefix === join(dirname(node), '..');
  return `npm uninstall -g ${isUsual ? '' : `--prefix ${shellWord(prefix)} `}signalbox`;
}
