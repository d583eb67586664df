import type { AgentStatus } from '../agents/agent.ts';

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
  readonly cwd: string;
  readonly inbox: {
    readonly queued: number;
    readonly claimed: number;
    readonly injected: number;
    readonly uncertain: number;
    readonly dead: number;
  };
}

export interface RemoveResult {
  readonly removed: readonly (AgentName & { readonly settled: number })[];
}
