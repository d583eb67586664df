import type { AgentView } from '../protocol/agents.ts';

/** Which questions are news: each is told once, in its own words where these come soon. */
export class QuestionNews {
  /** By dialog, the question that was told; empty where it was told without one. */
  readonly #told = new Map<string, string>();
  readonly #unread = new Set<string>();

  /**
   * `isUnread`: somebody asks, and what is not known yet; look again soon. At the second look it is
   * told without.
   */
  take(agents: readonly AgentView[]): {
    readonly news: readonly AgentView[];
    readonly isUnread: boolean;
  } {
    const asking = agents.filter(({ status }) => status === 'waiting');
    const unread = asking.filter((agent) => !isKnown(agent) && this.#isFirst(dialogOf(agent)));
    const news = asking.filter((agent) => !unread.includes(agent) && this.#isNews(agent));
    for (const agent of unread) this.#unread.add(dialogOf(agent));
    for (const agent of news) this.#told.set(dialogOf(agent), agent.question ?? '');
    return { news, isUnread: unread.length > 0 };
  }

  #isFirst(dialog: string): boolean {
    return !this.#unread.has(dialog) && !this.#told.has(dialog);
  }

  /** When a dialog is answered its question goes from the screen a moment before the status. */
  #isNews(agent: AgentView): boolean {
    const told = this.#told.get(dialogOf(agent));
    return told === undefined || (agent.question !== undefined && agent.question !== told);
  }
}

/** The agent, all that it has launched, and those below them. */
export function listBelow(agents: readonly AgentView[], root: string): readonly AgentView[] {
  const ids = new Set([root]);
  for (let before = 0; before < ids.size; ) {
    before = ids.size;
    for (const { id, parent } of agents) if (parent && ids.has(parent.id)) ids.add(id);
  }
  return agents.filter(({ id }) => ids.has(id));
}

/** Of a trust dialog the kind says it all. */
function isKnown({ question, detail }: AgentView): boolean {
  return question !== undefined || detail === 'trust';
}

function dialogOf({ id, since }: AgentView): string {
  return `${id} ${since}`;
}
