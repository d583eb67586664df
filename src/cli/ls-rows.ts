import type { AgentView } from '../protocol/agents.ts';

/** One agent in the tree, with what is drawn before its name. */
export interface TreeRow {
  readonly agent: AgentView;
  /** `├ `, `└ `, and lines of those above. */
  readonly branch: string;
  /** The same for rows that belong to it. */
  readonly below: string;
}

/**
 * Agents as a tree: children stand below whoever launched them. Those that wait for a person come
 * first at every level, with all above them; the rest keeps the order in which it was given.
 */
export function growTree(agents: readonly AgentView[]): readonly TreeRow[] {
  const ids = new Set(agents.map(({ id }) => id));
  const children = new Map<string, AgentView[]>();
  const roots: AgentView[] = [];
  for (const agent of agents) {
    const parent = agent.parent && ids.has(agent.parent.id) ? agent.parent.id : undefined;
    if (parent === undefined) roots.push(agent);
    else children.set(parent, [...(children.get(parent) ?? []), agent]);
  }
  const asks = (agent: AgentView): boolean =>
    agent.status === 'waiting' || (children.get(agent.id) ?? []).some(asks);
  const first = (some: readonly AgentView[]): readonly AgentView[] => [
    ...some.filter(asks),
    ...some.filter((agent) => !asks(agent)),
  ];
  const draw = (agent: AgentView, branch: string, lead: string): readonly TreeRow[] => {
    const below = first(children.get(agent.id) ?? []);
    const rows = below.flatMap((child, i) => {
      const isLast = i === below.length - 1;
      return draw(child, `${lead}${isLast ? '└ ' : '├ '}`, `${lead}${isLast ? '  ' : '│ '}`);
    });
    return [{ agent, branch, below: `${lead}${below.length > 0 ? '│ ' : '  '}` }, ...rows];
  };
  return first(roots).flatMap((root) => draw(root, '', ''));
}
