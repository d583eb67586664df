import type { Agent } from '../agents/agent.ts';
import type { Epoch } from '../agents/epoch.ts';
import type { MailNews } from '../attention/mail-news.ts';
import type { Supervisors } from '../config/supervisors.ts';
import type { Surroundings } from '../delivery/claim.ts';
import type { Delivery } from '../delivery/open-delivery.ts';
import type { Bus } from '../events/bus.ts';
import type { Fleet } from '../fleet/fleet.ts';
import type { DashboardView } from '../protocol/page.ts';
import type { VersionWarning } from '../providers/judge-version.ts';
import type { Log } from '../shared/log.ts';
import type { Ledger } from '../store/ledger.ts';
import type { TeamParts } from '../team/parts.ts';

/**
 * What a request needs beside its caller. The command line has it without a daemon; the daemon has
 * it with `live`.
 */
export interface Context {
  readonly ledger: Ledger;
  readonly surroundings: Surroundings;
  /** Largest message body, in bytes. */
  readonly bodyLimit: number;
  /** Turns an hour that messages may begin (rule 21). */
  readonly budgets: { readonly wakes: number; readonly scripts: number };
  /** Running children that one agent may have. */
  readonly breadth?: number;
  /**
   * In words, that no message wakes this agent, in this life, at rest; undefined where one does
   * (rule 48).
   */
  unwoken(to: Agent, life: Epoch | undefined): Promise<string | undefined>;
  /**
   * What a person should know of this version of a CLI; undefined where the lab saw all hold in it.
   */
  versionWarning(
    provider: string,
    version: string | undefined,
  ): Promise<VersionWarning | undefined>;
  /**
   * Something was committed for this agent. Resolves when the sender may be answered: what is
   * carried at once goes first. `isBack`: the agent had ended, and is to be started again.
   */
  committed(to: Agent, isBack?: boolean): Promise<void>;
  /** This request wrote something: retention may follow in passing. */
  wrote?(): void;
  /** Of the daemon; a command has none. */
  readonly log?: Log;
  readonly live?: Live;
}

/** Requests about terminals need the daemon. */
export interface LiveContext extends Context {
  readonly live: Live;
}

/** What a daemon knows and can do beyond the ledger. */
export interface Live {
  readonly fleet: Pick<
    Fleet,
    | 'launch'
    | 'awaitLaunch'
    | 'stop'
    | 'interrupt'
    | 'restart'
    | 'remove'
    | 'live'
    | 'output'
    | 'follow'
    | 'attachCommand'
    | 'health'
    | 'endingOf'
    | 'questions'
    | 'decide'
    | 'permissionOf'
    | 'settleLeft'
  >;
  readonly delivery: Pick<
    Delivery,
    | 'look'
    | 'obstacle'
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
  /** The daemon ends: requests that wait are let go. */
  readonly ending: AbortSignal;
  /** The supervisors that the user lets answer for those below them. */
  supervisorsAnswer(): Promise<Supervisors>;
  /** Ways into an agent of this provider, best first. */
  routesOf(provider: string): Promise<readonly string[] | undefined>;
}

/** The page in a browser, which the daemon serves while somebody wants it. */
export interface Dashboard {
  /** A link for one sign-in. */
  open(wish: DashboardWish): Promise<DashboardView>;
}

export interface DashboardWish {
  /** Its session may look and change nothing. */
  readonly readOnly: boolean;
  /** Of the command that asks: for the programs that the page starts, in memory alone. */
  readonly env: Readonly<Record<string, string>>;
  readonly umask: string;
}
