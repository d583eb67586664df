import { existsSync } from 'node:fs';
import { daemonInfoPath, type Folders, findFolders, ledgerPath } from '../../config/folders.ts';
import { requireOwnFolder } from '../../config/own-folder.ts';
import type { AgentName } from '../../protocol/agents.ts';
import type { DaemonInfo } from '../../protocol/daemon.ts';
import { nameView } from '../../protocol/views.ts';
import { systemClock } from '../../shared/clock.ts';
import { Fault } from '../../shared/fault.ts';
import type { Ledger } from '../../store/ledger.ts';
import { ledgerExists, openSqliteLedger } from '../../store/sqlite/open.ts';
import { findNotedServer } from '../../terminals/tmux/noted-server.ts';
import { findPlace } from '../../terminals/tmux/place.ts';
import { replaceOlder } from '../direct/replace-older.ts';
import { findDaemon, judgeDaemon } from '../socket/find-daemon.ts';

/** One pair of folders, and what of signalbox lives there. */
export interface Home {
  readonly folders: Folders;
  /** As it must be set for whoever works there; undefined for the default folders. */
  readonly env: NodeJS.ProcessEnv;
  readonly daemon?: DaemonInfo;
  readonly agents: readonly AgentName[];
  /** The process of our tmux server. */
  readonly tmux?: number;
  /** Why nothing may be done there. */
  readonly refused?: Fault;
  /** Its ledger cannot be read: who lives there is known by its tmux server alone. */
  readonly unread?: Fault;
}

type Tell = (sentence: string) => void;

const lockWaitMs = 5000;

/** This home and the default one, each once, where signalbox has been used at all. */
export async function surveyHomes(env: NodeJS.ProcessEnv, tell: Tell): Promise<readonly Home[]> {
  const { SIGNALBOX_HOME: _, ...plain } = env;
  const environments = env['SIGNALBOX_HOME'] ? [env, plain] : [plain];
  const homes: Home[] = [];
  for (const one of environments) {
    const folders = findFolders(one);
    if (homes.some((home) => home.folders.state === folders.state) || !isUsed(folders)) continue;
    homes.push(await survey(folders, one, tell));
  }
  return homes;
}

/** A folder in which nothing of ours lies is somebody else's, whatever it is called. */
function isUsed(folders: Folders): boolean {
  // The ledger is the last that is removed; a lock or a note alone may be anybody's.
  const traces = [ledgerPath(folders), daemonInfoPath(folders)];
  return traces.some((path) => existsSync(path));
}

async function survey(folders: Folders, env: NodeJS.ProcessEnv, tell: Tell): Promise<Home> {
  const bare = { folders, env, agents: [] };
  try {
    requireOwnFolder(folders);
    await replaceOlder(folders, env, tell);
    const daemon = findDaemon(folders);
    const isAlive = daemon !== undefined && judgeDaemon(daemon) !== 'dead';
    const place = findPlace({ stateFolder: folders.state, ledgerId: '', env });
    const tmux = findNotedServer(place)?.pid;
    return {
      ...bare,
      ...(isAlive ? { daemon } : {}),
      ...(tmux === undefined ? {} : { tmux }),
      ...(await listLiving(folders)),
    };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return { ...bare, refused: error };
  }
}

async function listLiving(folders: Folders): Promise<Pick<Home, 'agents' | 'unread'>> {
  try {
    const ledger = await openLedger(folders);
    if (!ledger) return { agents: [] };
    try {
      return await ledger.read(async (tx) => {
        const agents: AgentName[] = [];
        for (const { agent: id } of await tx.epochs.listOpen()) {
          const agent = await tx.agents.find(id);
          agents.push(agent ? nameView(agent) : { id, name: id });
        }
        return { agents };
      });
    } finally {
      await ledger.close();
    }
  } catch (error) {
    // Another program's database is another program's folder.
    if (!(error instanceof Fault) || error.code === 'ledger-foreign') throw error;
    return { agents: [], unread: error };
  }
}

/** Undefined where there is none: to uninstall makes nothing. */
export async function openLedger(folders: Folders): Promise<Ledger | undefined> {
  const path = ledgerPath(folders);
  if (!ledgerExists(path)) return undefined;
  return openSqliteLedger(path, { clock: systemClock, lockWaitMs });
}
