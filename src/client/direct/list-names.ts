import type { Agent } from '../../agents/agent.ts';
import { findFolders, ledgerPath } from '../../config/folders.ts';
import { systemClock } from '../../shared/clock.ts';
import { openToLook } from '../../store/sqlite/open.ts';

/** Nobody waits for a TAB for longer. */
const lockWaitMs = 200;

/**
 * The agents that live, without a caller: nothing is noted, and no ledger is made or migrated.
 */
export async function listNames(env: NodeJS.ProcessEnv): Promise<readonly Agent[]> {
  const path = ledgerPath(findFolders(env));
  const ledger = await openToLook(path, { clock: systemClock, lockWaitMs });
  if (!ledger) return [];
  try {
    return await ledger.read((tx) => tx.agents.list());
  } finally {
    await ledger.close();
  }
}
