import type { Caller } from '../../agents/caller.ts';
import type { Folders } from '../../config/folders.ts';
import type { Settings } from '../../config/setting-definitions.ts';
import type { AddingContext } from '../../requests/parts/limit-added.ts';
import type { Judged } from './describe-judged.ts';

/** The command line's side of every request: the ledger itself, and who is asking. */
export interface DirectContext extends AddingContext {
  readonly settings: Settings;
  readonly folders: Folders;
  readonly caller: Caller;
  /** The same, with what decided it. */
  readonly judged: Judged;
  /**
   * For whom something was committed: running agents, of whom the daemon is told, and started if
   * none runs; and the user, of whom one that runs is told.
   */
  readonly looks: ReadonlySet<string>;
  /** They have been told of. */
  clearLooks(): void;
  /** A request wrote: closing the client then prunes in passing, when everybody was answered. */
  readonly hasWritten: () => boolean;
}
