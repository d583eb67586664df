import type { MailNews } from '../attention/mail-news.ts';
import type { Supervisors } from '../config/supervisors.ts';
import type { HookDesk } from '../delivery/hook-desk.ts';
import type { Delivery } from '../delivery/open-delivery.ts';
import type { Bus } from '../events/bus.ts';
import type { Fleet } from '../fleet/fleet.ts';
import type { DaemonHealth, ProviderHealth } from '../protocol/daemon.ts';
import type { VersionWarning } from '../providers/judge-version.ts';
import type { Dashboard } from '../requests/context.ts';
import type { Clock } from '../shared/clock.ts';
import type { Log } from '../shared/log.ts';
import type { Host } from '../shared/processes.ts';
import type { Ledger } from '../store/ledger.ts';
import type { TeamParts } from '../team/parts.ts';

/** What the server is made of. */
export interface ServerParts {
  readonly ledger: Ledger;
  readonly ledgerPath: string;
  readonly fleet: Fleet;
  readonly hookDesk: HookDesk;
  readonly delivery: Pick<
    Delivery,
    | 'look'
    | 'isPasting'
    | 'isDeciding'
    | 'obstacle'
    | 'limits'
    | 'waitsFor'
    | 'broken'
    | 'unwoken'
    | 'keepsPrompts'
    | 'placeOf'
    | 'takeFromQueue'
    | 'routes'
  >;
  readonly team: TeamParts;
  readonly bus: Bus;
  readonly dashboard: Dashboard;
  readonly mailNews?: Pick<MailNews, 'look'>;
  readonly clock: Clock;
  /** Whose claims are taken here. */
  readonly host: Host;
  readonly log: Log;
  readonly version: string;
  /** Largest message body, in bytes. */
  readonly bodyLimit: number;
  /** What the process knows about itself. */
  readonly daemon: () => DaemonHealth;
  readonly providers: () => Promise<Readonly<Record<string, ProviderHealth>>>;
  /** Ways into an agent of this provider, best first. */
  readonly routesOf: (provider: string) => Promise<readonly string[] | undefined>;
  /** What a person should know of this version of a CLI. */
  readonly versionWarningOf: (
    provider: string,
    version: string | undefined,
  ) => Promise<VersionWarning | undefined>;
  /** Whether a message begins a turn of its agents by itself, as far as their provider says. */
  readonly isWokenOf: (provider: string) => Promise<boolean>;
  /** The supervisors that the user lets answer for those below them. */
  readonly supervisorsAnswer: () => Promise<Supervisors>;
  /**
   * How long a CLI of this provider lets one call of a tool take, where that is known;
   * milliseconds.
   */
  readonly toolCallMsOf: (provider: string) => Promise<number | undefined>;
  /** What a command of the user's own shows (rule 52). */
  readonly userToken: string;
  /** Our own environment, for what an agent launches whose own cannot be read. */
  readonly ownEnv: Readonly<Record<string, string>>;
  /** Begins the end of the daemon; returns at once. `isReplaced`: another one follows. */
  readonly shutdown: (isReplaced: boolean) => void;
  /** The end has begun: requests that wait are let go. */
  readonly ending: AbortSignal;
}
