import { callName } from '../agents/reference.ts';
import type { AgentView } from '../protocol/agents.ts';
import { type Mark, statusMarks } from './marks.ts';
import type { World } from './world.ts';

/** The agents of one session stand below its row, children below their parents. */
export type FleetRow = SessionRow | AgentRow;

interface SessionRow {
  readonly kind: 'session';
  /** `session:` and its name: no agent has such an id. */
  readonly id: string;
  readonly name: string;
  readonly agents: number;
  /** How many of them need a person. */
  readonly needing: number;
}

export interface AgentRow {
  readonly kind: 'agent';
  readonly id: string;
  readonly name: string;
  readonly session: string;
  readonly provider: string;
  readonly mark: Mark;
  readonly status: string;
  readonly detail: string | undefined;
  readonly since: string;
  readonly source: string;
  readonly needsPerson: boolean;
  /** While it waits: what it asks, in one line. */
  readonly asks: string | undefined;
  /** What of it a person should know, in a few words each. */
  readonly remarks: readonly Remark[];
  /** From 1; of a child of an agent in another session, 1 as well. */
  readonly level: number;
  /** For each level above its own: whether a line goes on below it. Then whether it is the last. */
  readonly rails: readonly boolean[];
  readonly isLast: boolean;
  /** The filter names a descendant of it, not the agent itself. */
  readonly isContext: boolean;
}

export interface Remark {
  readonly text: string;
  readonly tone: 'plain' | 'ask' | 'bad';
}

/**
 * The fleet as rows. Sessions with somebody who needs a person come first, and so do such agents,
 * with all above them, among their siblings; all else goes by name.
 */
export function viewFleet(world: World, filter = ''): readonly FleetRow[] {
  const asking = listNeeding(world);
  const forest = new Forest(world, filter, asking);
  const sessions = forest.sessions();
  return sessions.flatMap(({ name, roots, agents }) => {
    const needing = agents.filter(({ id }) => asking.has(id)).length;
    const head: SessionRow = {
      kind: 'session',
      id: `session:${name}`,
      ...{ name, agents: agents.length, needing },
    };
    return [head, ...roots.flatMap((root, i) => forest.draw(root, [], i === roots.length - 1))];
  });
}

/** Whoever asks, failed or cannot be woken. Messages have no agent there. */
export function listNeeding({ attention, agents }: World): ReadonlySet<string> {
  const told = attention.flatMap(({ agent }) => (agent ? [agent.id] : []));
  const waiting = [...agents.values()].filter(({ status }) => status === 'waiting');
  return new Set([...told, ...waiting.map(({ id }) => id)]);
}

interface SessionTree {
  readonly name: string;
  readonly roots: readonly AgentView[];
  readonly agents: readonly AgentView[];
}

class Forest {
  readonly #children = new Map<string, AgentView[]>();
  readonly #asking: ReadonlySet<string>;
  readonly #shown = new Map<string, { readonly agent: AgentView; isContext: boolean }>();
  readonly #urgent = new Set<string>();

  constructor(world: World, filter: string, asking: ReadonlySet<string>) {
    this.#asking = asking;
    const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
    for (const agent of world.agents.values()) {
      if (agent.id === world.user || !matches(agent, words)) continue;
      this.#show(world, agent);
    }
    for (const { agent } of this.#shown.values()) {
      const parent = this.#parentOf(agent);
      if (parent) push(this.#children, parent.id, agent);
      if (asking.has(agent.id)) this.#hurry(agent);
    }
  }

  sessions(): readonly SessionTree[] {
    const found = new Map<string, AgentView[]>();
    for (const { agent } of this.#shown.values()) push(found, agent.session, agent);
    const trees = [...found].map(([name, agents]) => ({
      ...{ name, agents },
      roots: this.#order(agents.filter((agent) => !this.#parentOf(agent))),
    }));
    const isUrgent = ({ agents }: SessionTree) => agents.some(({ id }) => this.#urgent.has(id));
    return trees.sort(
      (a, b) => Number(isUrgent(b)) - Number(isUrgent(a)) || compare(a.name, b.name),
    );
  }

  draw(agent: AgentView, rails: readonly boolean[], isLast: boolean): readonly AgentRow[] {
    const below = this.#order(this.#children.get(agent.id) ?? []);
    const isContext = this.#shown.get(agent.id)?.isContext ?? false;
    const row = rowOf(agent, this.#asking.has(agent.id));
    const deeper = [...rails, !isLast];
    return [
      { ...row, level: rails.length + 1, rails, isLast, isContext },
      ...below.flatMap((child, i) => this.draw(child, deeper, i === below.length - 1)),
    ];
  }

  /** With all above it that stand in its session. */
  #show(world: World, agent: AgentView): void {
    this.#shown.set(agent.id, { agent, isContext: false });
    let above = parentIn(world.agents, agent);
    while (above && !this.#shown.has(above.id)) {
      this.#shown.set(above.id, { agent: above, isContext: true });
      above = parentIn(world.agents, above);
    }
  }

  #hurry(agent: AgentView): void {
    for (let at: AgentView | undefined = agent; at && !this.#urgent.has(at.id); ) {
      this.#urgent.add(at.id);
      at = this.#parentOf(at);
    }
  }

  #parentOf(agent: AgentView): AgentView | undefined {
    return this.#isInRing(agent) ? undefined : this.#above(agent);
  }

  #above({ parent, session }: AgentView): AgentView | undefined {
    const found = parent && this.#shown.get(parent.id)?.agent;
    return found?.session === session ? found : undefined;
  }

  /** A damaged ledger may hold one. Whoever is in it stands at the top, so that all are seen. */
  #isInRing(agent: AgentView): boolean {
    const met = new Set<string>();
    for (let at = this.#above(agent); at && !met.has(at.id); at = this.#above(at)) {
      if (at.id === agent.id) return true;
      met.add(at.id);
    }
    return false;
  }

  #order(agents: readonly AgentView[]): readonly AgentView[] {
    const rank = ({ id }: AgentView): number => Number(this.#urgent.has(id));
    return agents.toSorted((a, b) => rank(b) - rank(a) || compare(a.name, b.name));
  }
}

function parentIn(agents: ReadonlyMap<string, AgentView>, agent: AgentView): AgentView | undefined {
  const found = agent.parent ? agents.get(agent.parent.id) : undefined;
  return found?.session === agent.session ? found : undefined;
}

function matches(agent: AgentView, words: readonly string[]): boolean {
  if (words.length === 0) return true;
  const { name, session, provider, status, detail = '', profile = '' } = agent;
  const text = [`${session}/${name}`, provider, status, detail, profile].join(' ').toLowerCase();
  return words.every((word) => text.includes(word));
}

type BareRow = Omit<AgentRow, 'level' | 'rails' | 'isLast' | 'isContext'>;

function rowOf(agent: AgentView, needsPerson: boolean): BareRow {
  const { id, session, provider, status, detail, since, source, question } = agent;
  const asks = status === 'waiting' && question !== undefined ? question : undefined;
  return {
    kind: 'agent',
    ...{ id, name: callName(agent, session), session, provider },
    ...{ mark: statusMarks[status], status, detail, since, source, needsPerson, asks },
    remarks: listRemarks(agent),
  };
}

/** Inbox, debts and what is in the way, the most pressing first. */
export function listRemarks(agent: AgentView): readonly Remark[] {
  const { inbox, owes = [], broken, unwoken, held, versionWarning } = agent;
  const arriving = inbox.claimed + inbox.injected;
  const said: readonly (Remark | false)[] = [
    broken !== undefined && { text: 'cannot be woken', tone: 'bad' },
    inbox.dead > 0 && { text: `${inbox.dead} dead`, tone: 'bad' },
    inbox.uncertain > 0 && { text: `${inbox.uncertain} uncertain`, tone: 'ask' },
    held !== undefined && { text: 'held by its budget', tone: 'ask' },
    inbox.queued > 0 && { text: `${inbox.queued} queued`, tone: 'plain' },
    arriving > 0 && { text: `${arriving} on the way`, tone: 'plain' },
    owes.length > 0 && { text: `owes ${owes.length}`, tone: 'plain' },
    unwoken !== undefined && { text: 'not woken at rest', tone: 'plain' },
    versionWarning !== undefined && { text: 'version not tried', tone: 'plain' },
  ];
  return said.filter((remark): remark is Remark => remark !== false);
}

function push<T>(lists: Map<string, T[]>, key: string, item: T): void {
  const list = lists.get(key);
  if (list) list.push(item);
  else lists.set(key, [item]);
}

/** By code point, which is the same on every machine. */
function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
