import { basename } from 'node:path';
import type { Agent } from '../../agents/agent.ts';
import { truncate } from '../../messages/truncate.ts';

/**
 * Names for one agent's folder, the best first. Each ends with the agent's id, or its last letters:
 * agents of one name in several sessions share the folder of all worktrees.
 */
export function nameFolders(repository: string, { id, name }: Named): readonly string[] {
  const plain = basename(repository, '.git').replace(/[^\p{L}\p{M}\p{N}._-]+/gu, '-');
  const stem = `${cut(plain, 60) || 'repository'}-${cut(name, 150)}`;
  return endsOf(id).map((end) => `${stem}-${end}`);
}

/**
 * Names for its branch. People type these, so the first is the agent's name alone; but not where
 * another living agent has that name, since `signalbox/lead` could then be taken for either's.
 */
export function nameBranches(prefix: string, agent: Named, hasNamesakes: boolean): string[] {
  // What names of agents may hold and names of branches may not: two dots, and `.` or `.lock` at
  // the end.
  const plain = cut(agent.name, 150)
    .replace(/\.{2,}/g, '-')
    .replace(/\.(lock)?$/i, '-$1');
  const withId = endsOf(agent.id).map((end) => `${prefix}${plain}-${end}`);
  return hasNamesakes ? withId : [`${prefix}${plain}`, ...withId];
}

type Named = Pick<Agent, 'id' | 'name'>;

/** 20 random bits, which tell agents of one name apart; all of it where chance would have it. */
function endsOf(id: string): readonly string[] {
  return [id.slice(-4), id.replace(/^agt_/, '')];
}

function cut(text: string, bytes: number): string {
  return truncate(text, bytes).text;
}
