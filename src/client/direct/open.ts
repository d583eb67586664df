import { type Agent, isUser } from '../../agents/agent.ts';
import type { Epoch } from '../../agents/epoch.ts';
import {
  caughtErrorsPath,
  type Folders,
  findFolders,
  ledgerPath,
  spoolFolder,
} from '../../config/folders.ts';
import type { Settings } from '../../config/setting-definitions.ts';
import { loadSettings } from '../../config/settings.ts';
import { mayLackNative } from '../../providers/may-lack-native.ts';
import { hear } from '../../requests/define.ts';
import { noteBug } from '../../shared/bug-notes.ts';
import { systemClock } from '../../shared/clock.ts';
import { Fault } from '../../shared/fault.ts';
import { systemHost } from '../../shared/processes.ts';
import { keepBugs } from '../../shared/report-bug.ts';
import type { Ledger } from '../../store/ledger.ts';
import { ledgerExists, openSqliteLedger } from '../../store/sqlite/open.ts';
import type { DirectClient } from '../client.ts';
import type { DirectContext } from './context.ts';
import { createDirectClient } from './create.ts';
import type { Judged } from './describe-judged.ts';
import { findCaller } from './find-caller.ts';
import { replaceOlder } from './replace-older.ts';

/** The client that works on the ledger itself, without a daemon. */
export async function openDirectClient(env: NodeJS.ProcessEnv): Promise<DirectClient> {
  return createDirectClient(await openContext(env));
}

export async function openContext(
  env: NodeJS.ProcessEnv,
  tell: (sentence: string) => void = () => undefined,
): Promise<DirectContext> {
  const folders = findFolders(env);
  const settings = await loadSettings(folders, env);
  keepBugs((bug) => noteBug(caughtErrorsPath(folders), bug, systemClock.now()));
  await replaceOlder(folders, env, tell);
  const ledger = await openSqliteLedger(ledgerPath(folders), {
    clock: systemClock,
    lockWaitMs: settings['lock-wait'].value,
  });
  try {
    const judged = await findCaller(ledger, env);
    const context = createContext({ ledger, settings, folders, judged });
    // Not every command makes a request, and each is a call of its agent's.
    await hear(context, context.caller);
    await tellEndedRuns(context, folders);
    return context;
  } catch (error) {
    await ledger.close();
    throw error;
  }
}

interface Opened {
  readonly ledger: Ledger;
  readonly settings: Settings;
  readonly folders: Folders;
  readonly judged: Judged;
}

function createContext({ ledger, settings, folders, judged }: Opened): DirectContext {
  const { caller } = judged;
  const looks = new Set<string>();
  let hasWritten = false;
  return {
    ...{ ledger, settings, folders, caller, looks, judged },
    surroundings: { clock: systemClock, host: systemHost },
    bodyLimit: settings['body-limit'].value,
    breadth: settings['breadth-limit'].value,
    budgets: { wakes: settings['wake-budget'].value, scripts: settings['script-budget'].value },
    unwoken: (to, life) => findUnwoken(folders, to, life),
    versionWarning: async (provider, version) => {
      if (version === undefined || provider === 'generic') return undefined;
      const { findVersionWarning } = await import('../../providers/find-version-warning.ts');
      return findVersionWarning(folders, provider, version);
    },
    committed: async (to, isBack) => {
      if (isBack || isCarried(to) || isUser(to)) looks.add(to.id);
    },
    wrote: () => {
      hasWritten = true;
    },
    hasWritten: () => hasWritten,
    clearLooks: () => looks.clear(),
    openProviders: async () => {
      const { openProviderShelf } = await import('../../providers/registry.ts');
      return openProviderShelf(folders);
    },
  };
}

/** Only an agent that runs has a daemon to be told. */
export function isCarried({ backend, status }: Pick<Agent, 'backend' | 'status'>): boolean {
  return backend !== 'none' && status !== 'exited';
}

/**
 * A message wakes most agents in tmux: for most messages nothing is loaded to find that out.
 */
async function findUnwoken(
  folders: Folders,
  to: Agent,
  life: Epoch | undefined,
): Promise<string | undefined> {
  if (to.backend === 'none') return undefined;
  if (to.backend === 'tmux' && !mayLackNative.has(to.provider)) return undefined;
  const found = await import('./find-unwoken.ts');
  return found.findUnwoken(folders, to, life);
}

/**
 * Of one-shot commands whose wrapper could not (rule 32): the next command does it. Left to the one
 * after it if it fails.
 */
async function tellEndedRuns(context: DirectContext, folders: Folders): Promise<void> {
  const { ledger, surroundings } = context;
  if ((await ledger.read((tx) => tx.runs.listOpen())).length === 0) return;
  const { settleRuns } = await import('../../fleet/settle-runs.ts');
  try {
    for (const { to } of await settleRuns({ ledger, surroundings, spool: spoolFolder(folders) })) {
      const recipient = await ledger.read((tx) => tx.agents.find(to));
      if (recipient) await context.committed(recipient);
    }
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
  }
}

export function hasLedger(env: NodeJS.ProcessEnv): boolean {
  return ledgerExists(ledgerPath(findFolders(env)));
}
