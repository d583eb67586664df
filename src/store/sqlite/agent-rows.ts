import type { Agent, AgentStatus } from '../../agents/agent.ts';
import type { NameInSession } from '../../agents/agent-store.ts';
import { type EndedBy, type EndsWith, endedByWords, endsWithWords } from '../../agents/ending.ts';
import { readRole, readWorktree } from './json-columns.ts';
import { readColumn } from './read-column.ts';

/** Rows of agents as SQLite gives them, and what they mean; as `rows.ts` does for the others. */

export interface AgentRow {
  id: string;
  name: string;
  session: string;
  provider: string;
  backend: string;
  epoch: number;
  status: AgentStatus;
  detail: string | null;
  source: string;
  since: number;
  parent: string | null;
  notify: number;
  cwd: string;
  created_at: number;
  removed_at: number | null;
  removed_by_user: number;
  role: string | null;
  worktree: string | null;
  ends_with: string | null;
  ended_by: string | null;
  called_by: string | null;
  background: number | null;
  namesakes: number;
}

export function toName({ name, session, namesakes }: AgentRow): NameInSession {
  return { name, session, ...(namesakes === 1 ? { namesakes: true } : {}) };
}

export function toAgent(row: AgentRow): Agent {
  const { id } = row;
  const role = readColumn({ column: 'agents.role', row: id, text: row.role, read: readRole });
  const worktree = readColumn({
    ...{ column: 'agents.worktree', row: id, text: row.worktree },
    read: readWorktree,
  });
  const damaged = [
    ...(row.role !== null && !role ? ['agents.role'] : []),
    ...(row.worktree !== null && !worktree ? ['agents.worktree'] : []),
  ];
  return {
    id: row.id,
    ...toName(row),
    provider: row.provider,
    backend: row.backend,
    epoch: row.epoch,
    status: row.status,
    source: row.source,
    since: row.since,
    notify: row.notify === 1,
    cwd: row.cwd,
    createdAt: row.created_at,
    ...(row.detail === null ? {} : { detail: row.detail }),
    ...(row.parent === null ? {} : { parent: row.parent }),
    ...(row.removed_at === null ? {} : { removedAt: row.removed_at }),
    ...(row.removed_by_user === 1 ? { removedByUser: true as const } : {}),
    // The least permission: whatever it was given, it launches nothing that may do more.
    ...(row.role === null ? {} : { role: role ?? { permission: 'read-only' } }),
    ...(worktree === undefined ? {} : { worktree }),
    ...(damaged.length === 0 ? {} : { damaged }),
    ...toEnding(row),
  };
}

/** A word that a later version wrote counts as none: then nothing ends or begins by itself. */
export function toEnding(
  row: Pick<AgentRow, 'ends_with' | 'ended_by' | 'called_by' | 'background'>,
): Pick<Agent, 'endsWith' | 'endedBy' | 'calledBy' | 'background'> {
  const endsWith = known<EndsWith>(endsWithWords, row.ends_with);
  const endedBy = known<EndedBy>(endedByWords, row.ended_by);
  return {
    ...(endsWith === undefined ? {} : { endsWith }),
    ...(endedBy === undefined ? {} : { endedBy }),
    ...(row.called_by === null ? {} : { calledBy: row.called_by }),
    ...(row.background === null ? {} : { background: row.background }),
  };
}

function known<Word extends string>(words: readonly Word[], text: string | null): Word | undefined {
  return words.find((word) => word === text);
}
