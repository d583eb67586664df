import type { EndedBy, EndsWith } from './ending.ts';
import type { Role, Worktree } from './role.ts';

export type AgentStatus =
  | 'starting'
  | 'idle'
  | 'processing'
  | 'waiting'
  | 'completed'
  | 'error'
  | 'exited'
  | 'unknown';

/** A CLI coding agent, a script or the person: whoever has an inbox. */
export interface Agent {
  readonly id: string;
  readonly name: string;
  readonly session: string;
  /** `none` for an agent without a terminal of ours: it pulls. */
  readonly provider: string;
  readonly backend: string;
  /** One life of its process; 0 before the first. */
  readonly epoch: number;
  readonly status: AgentStatus;
  readonly detail?: string;
  readonly source: string;
  readonly since: number;
  readonly parent?: string;
  /** False: it makes completions only for tasks it was given (rule 29). */
  readonly notify: boolean;
  readonly cwd: string;
  readonly createdAt: number;
  readonly removedAt?: number;
  /** The user removed it: what dies with it needs no attention of the user (rule 35). */
  readonly removedByUser?: true;
  readonly role?: Role;
  /**
   * Columns of its row that cannot be read; what stands in their place is careful, not true. It is
   * not begun anew before it was removed and launched again.
   */
  readonly damaged?: readonly string[];
  readonly worktree?: Worktree;
  readonly endsWith?: EndsWith;
  /** Of its last life, until the next one stands. */
  readonly endedBy?: EndedBy;
  /** Whose word brings it back: its next life is due, and nothing else is needed for that. */
  readonly calledBy?: string;
  /** Tasks in the background of its CLI, as the end of its last turn told; undefined: not told. */
  readonly background?: number;
  /** When it was read, other living agents had its name, in other sessions. Never written. */
  readonly namesakes?: true;
}

/** The person: always there, never added, never removed. */
export const userAgentId = 'agt_user';

/**
 * The sender of what signalbox itself writes: bounces, notices, reminders. It has no row, no inbox,
 * and nobody can write to it.
 */
export const signalbox = { id: 'agt_signalbox', name: 'signalbox' } as const;

export function createUser(now: number): Agent {
  return {
    ...createPuller(userAgentId, now),
    name: 'user',
    session: 'default',
    notify: true,
    cwd: '',
  };
}

/** What an agent without a terminal of ours looks like. */
export function createPuller(
  id: string,
  now: number,
): Omit<Agent, 'name' | 'session' | 'notify' | 'cwd'> {
  return {
    id,
    provider: 'none',
    backend: 'none',
    epoch: 0,
    status: 'unknown',
    source: 'none',
    since: now,
    createdAt: now,
  };
}

export function isUser(agent: Pick<Agent, 'id'>): boolean {
  return agent.id === userAgentId;
}
