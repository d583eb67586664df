import type { Agent } from '../../agents/agent.ts';
import type { Folders } from '../../config/folders.ts';
import type { Settings } from '../../config/settings.ts';
import type { Surroundings } from '../../delivery/claim.ts';
import type { Ledger } from '../../store/ledger.ts';

/** What every request needs: the ledger itself, its surroundings, and who is asking. */
export interface Context {
  readonly ledger: Ledger;
  readonly surroundings: Surroundings;
  readonly settings: Settings;
  readonly folders: Folders;
  readonly caller: Agent;
  /**
   * Running agents for which something was committed: the daemon is told, and started if none runs.
   */
  readonly looks: Set<string>;
  /**
   * Set by requests that wrote: closing the client then prunes in passing, when everybody has been
   * answered.
   */
  hasWritten?: boolean;
}

/** Something was committed for this agent; only one that runs has a daemon to be told. */
export function tellOf({ looks }: Pick<Context, 'looks'>, { id, backend, status }: Agent): void {
  if (backend !== 'none' && status !== 'exited') looks.add(id);
}
