import type { AgentStatus } from '../agents/agent.ts';
import type { Composer } from '../agents/status.ts';
import type { DebtView } from './tasks.ts';

/** How every document names an agent. */
export interface AgentName {
  readonly id: string;
  readonly name: string;
}

export interface AgentView {
  readonly id: string;
  readonly name: string;
  readonly session: string;
  readonly provider: string;
  readonly backend: string;
  readonly epoch: number;
  readonly status: AgentStatus;
  readonly detail?: string;
  readonly source: string;
  readonly since: string;
  readonly parent?: AgentName;
  /** The profile it was launched by. */
  readonly profile?: string;
  readonly cwd: string;
  /** The git worktree that was made for it. */
  readonly worktree?: WorktreeView;
  readonly inbox: {
    readonly queued: number;
    readonly claimed: number;
    readonly injected: number;
    readonly uncertain: number;
    readonly dead: number;
  };
  /** A budget keeps what waits in its inbox from beginning a turn (rule 21). */
  readonly held?: { readonly until: string; readonly why: string };
  /** Tasks it was given and has not answered. */
  readonly owes?: readonly DebtView[];
  /** The rest is known only of an agent with a terminal of ours, and only to the daemon. */
  readonly composer?: Composer;
  readonly humanTypedAt?: string;
  readonly providerVersion?: string;
  /** The CLI's own session id. */
  readonly conversation?: string;
  readonly exitCode?: number;
  readonly exitSignal?: string;
  /** Ways into it, best first. */
  readonly routes?: readonly string[];
  /** Those it lacks, each with the reason. */
  readonly lacks?: readonly MissingRoute[];
  /**
   * What stands beside it to wake it is gone, and is not up again yet: whether it can be woken all
   * the same, and why (rule 53).
   */
  readonly broken?: string;
  /**
   * No message begins a turn of it while it is at rest: why, until when messages wait, and what
   * helps.
   */
  readonly unwoken?: string;
  /** Why the head of its inbox waits. */
  readonly waitsFor?: string;
  /** What a person should know of it. */
  readonly notes?: readonly string[];
}

interface WorktreeView {
  readonly path: string;
  readonly branch: string;
  /** From which it was made. */
  readonly repository: string;
  /** The commit it began with. */
  readonly base: string;
}

export interface MissingRoute {
  readonly route: string;
  readonly why: string;
}

export interface RemoveResult {
  readonly removed: readonly Removed[];
  /** Those of several that could not be removed; the others are gone. */
  readonly failed?: readonly Failed[];
}

/** One of several that were asked for together. */
export interface Failed extends AgentName {
  readonly error: { readonly code: string; readonly message: string; readonly next: string };
}

export interface Removed extends AgentName {
  /** Messages that became dead; their senders were told. */
  readonly settled: number;
  /** How many of these may have been read; the others never were. */
  readonly maybeRead: number;
  /** Messages that were open and that its records, asked once more, prove to have been read. */
  readonly read: number;
  /** Steps of the removal that failed; the others were done. */
  readonly troubles?: readonly string[];
  /** What became of its worktree: `kept` when something in it would have been lost. */
  readonly worktree?: {
    readonly path: string;
    readonly branch: string;
    readonly outcome: 'removed' | 'kept';
    readonly reason?: string;
  };
}
