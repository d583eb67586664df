import type { Agent } from '../agents/agent.ts';
import type { Role } from '../agents/role.ts';
import type { StatusView, Verdict } from '../agents/status.ts';
import type { Surroundings } from '../delivery/claim.ts';
import type { Delivery } from '../delivery/open-delivery.ts';
import type { ProfileShelf } from '../profiles/shelf.ts';
import type { HookCommand } from '../providers/hook-command.ts';
import type { ToolServer } from '../providers/launch-plan.ts';
import type { Provider, Screen } from '../providers/provider.ts';
import type { Ledger } from '../store/ledger.ts';
import type { Backends } from '../terminals/backends.ts';
import type { TrustBook } from '../trust/book.ts';
import type { TeamLimits } from './limits.ts';

/**
 * What the fleet is made of. The daemon's composition root is the only one that names concrete
 * things for these.
 */
export interface FleetParts {
  readonly ledger: Ledger;
  readonly surroundings: Surroundings;
  readonly backends: Backends;
  readonly providers: ProviderShelf;
  /** Of the profile of an agent that is started again. */
  readonly profiles: Pick<ProfileShelf, 'read'>;
  /** What of a working folder counts (rule 46). */
  readonly trust: Pick<TrustBook, 'judge'>;
  /** What agents may launch themselves. */
  readonly limits: TeamLimits;
  readonly folders: FleetFolders;
  readonly announce: Announce;
  /** Told of every life and of what changes in it. */
  readonly delivery: Pick<
    Delivery,
    'attach' | 'detach' | 'look' | 'whenCarried' | 'readOnRecord' | 'turnEnded' | 'submitted'
  >;
  readonly log: FleetLog;
  /**
   * What tells a program inside an agent's terminal where to find us: SIGNALBOX_HOME,
   * SIGNALBOX_SOCKET.
   */
  readonly agentEnv: Readonly<Record<string, string>>;
  /** Our own environment, for finding our own programs, and the folders of CLIs that have ended. */
  readonly ownEnv: Readonly<Record<string, string>>;
  /** The MCP server that an agent of this role is given. */
  readonly tools: (role: Role) => Promise<ToolServer | undefined>;
  /** Posts a hook's payload to the daemon; constant, so that a CLI's trust in it lasts. */
  readonly hookCommand: HookCommand;
}

interface ProviderShelf {
  /** By name or alias; throws a Fault that lists what there is. */
  find(name: string): Promise<Provider>;
  /**
   * The detector of one provider for one version of its CLI, with the user's own file laid over it.
   */
  detector(provider: Provider, version: string | undefined): Promise<(screen: Screen) => Verdict>;
}

interface FleetFolders {
  /** One private folder per life. */
  readonly run: string;
  readonly logs: string;
  readonly snapshots: string;
  /** Git worktrees made for agents, outside every repository. */
  readonly worktrees: string;
  /** Ends of one-shot commands that could not be committed yet. */
  readonly spool: string;
}

/** What happens, for whoever listens: the daemon puts it on the bus. */
export interface Announce {
  launched(agent: Agent): void;
  status(agent: Agent, view: StatusView): void;
  exited(
    agent: Agent,
    exit: { readonly exitCode?: number; readonly exitSignal?: string; readonly cause: string },
  ): void;
  rehomed(agent: Agent): void;
  removed(agent: Agent): void;
  output(agent: string, bytes: number): void;
}

export interface FleetLog {
  info(facts: object, text: string): void;
  warn(facts: object, text: string): void;
  error(facts: object, text: string): void;
}
