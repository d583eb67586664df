import { type Agent, userAgentId } from '../../agents/agent.ts';
import type { AgentStore, KnownStatus, NameInSession } from '../../agents/agent-store.ts';
import { comesBack, type EndedBy, type EndsWith } from '../../agents/ending.ts';
import type { Worktree } from '../../agents/role.ts';
import type { StoredAgent, Tables } from './tables.ts';

export class MemoryAgentStore implements AgentStore {
  readonly #tables: Tables;

  constructor(tables: Tables) {
    this.#tables = tables;
  }

  async insert(agent: Agent): Promise<Agent | undefined> {
    const namesakes = await this.listByName(agent.name);
    if (namesakes.some(({ session }) => session === agent.session)) return undefined;
    this.#tables.set(this.#tables.agents, agent.id, agent);
    this.#tables.noteChange(null);
    return this.#see(agent);
  }

  async find(id: string): Promise<Agent | undefined> {
    const agent = this.#tables.agents.get(id);
    return agent && this.#see(agent);
  }

  async isLiving(id: string): Promise<boolean> {
    const agent = this.#tables.agents.get(id);
    return agent !== undefined && agent.removedAt === undefined;
  }

  async findLiving(id: string): Promise<Pick<Agent, 'endedBy'> | undefined> {
    const agent = this.#tables.agents.get(id);
    if (!agent || agent.removedAt !== undefined) return undefined;
    return agent.endedBy === undefined ? {} : { endedBy: agent.endedBy };
  }

  async listByName(name: string): Promise<readonly Agent[]> {
    return this.#living()
      .filter((agent) => agent.name === name)
      .sort((a, b) => (a.session < b.session ? -1 : 1))
      .map((agent) => this.#see(agent));
  }

  async list(session?: string): Promise<readonly Agent[]> {
    return this.#living()
      .filter((agent) => session === undefined || agent.session === session)
      .sort((a, b) => (`${a.name}\0${a.session}` < `${b.name}\0${b.session}` ? -1 : 1))
      .map((agent) => this.#see(agent));
  }

  async listNames(ids: readonly string[]): Promise<ReadonlyMap<string, NameInSession>> {
    const found = ids
      .map((id) => this.#tables.agents.get(id))
      .filter((agent) => agent !== undefined);
    return new Map(
      found.map((agent) => {
        const { id, name, session, namesakes } = this.#see(agent);
        return [id, { name, session, ...(namesakes ? { namesakes } : {}) }];
      }),
    );
  }

  async setParent(id: string, parent: string | undefined): Promise<void> {
    const { parent: before, ...rest } = this.#get(id);
    if (before !== parent) this.#tables.noteChange(null);
    this.#put(parent === undefined ? rest : { ...rest, parent });
  }

  async listChildren(parent: string): Promise<readonly Agent[]> {
    return this.#living()
      .filter((agent) => agent.parent === parent)
      .map((agent) => this.#see(agent));
  }

  async setWorktree(id: string, worktree: Worktree, cwd: string): Promise<void> {
    this.#put({ ...this.#get(id), worktree, cwd });
  }

  async setCwd(id: string, cwd: string): Promise<void> {
    this.#put({ ...this.#get(id), cwd });
  }

  async setEpoch(id: string, epoch: number): Promise<void> {
    this.#put({ ...this.#get(id), epoch });
  }

  async setStatus(id: string, status: KnownStatus): Promise<void> {
    const { detail: _, ...rest } = this.#get(id);
    this.#put({ ...rest, ...status });
  }

  async setEndsWith(id: string, endsWith: EndsWith | undefined): Promise<void> {
    const { endsWith: _, ...rest } = this.#get(id);
    this.#put(endsWith === undefined ? rest : { ...rest, endsWith });
  }

  async setEnded(id: string, by: EndedBy | undefined): Promise<void> {
    const { endedBy: _, calledBy: __, ...rest } = this.#get(id);
    this.#put(by === undefined ? rest : { ...rest, endedBy: by });
  }

  async callBack(id: string, by: string): Promise<boolean> {
    const agent = this.#get(id);
    const mayCall = by === userAgentId || by === agent.parent;
    if (agent.removedAt !== undefined || !mayCall || !comesBack(agent)) return false;
    if (agent.calledBy !== userAgentId) this.#put({ ...agent, calledBy: by });
    return true;
  }

  async dropCall(id: string): Promise<void> {
    const { calledBy: _, ...rest } = this.#get(id);
    this.#put(rest);
  }

  async setBackground(id: string, tasks: number | undefined): Promise<void> {
    const { background: _, ...rest } = this.#get(id);
    this.#put(tasks === undefined ? rest : { ...rest, background: tasks });
  }

  async listWorkers(): Promise<readonly Agent[]> {
    return this.#living()
      .filter(
        ({ calledBy, endsWith, status }) =>
          calledBy !== undefined || (endsWith !== undefined && status !== 'exited'),
      )
      .sort((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1))
      .map((agent) => this.#see(agent));
  }

  async markRemoved(id: string, at: number, isByUser: boolean): Promise<void> {
    const how = isByUser ? { removedByUser: true as const } : {};
    this.#tables.noteChange(null);
    this.#put({ ...this.#get(id), removedAt: at, ...how });
  }

  async markInboxSettled(id: string): Promise<void> {
    this.#put({ ...this.#get(id), inboxSettled: true });
  }

  async listUnsettled(): Promise<readonly Agent[]> {
    const all = [...this.#tables.agents.values()];
    return all
      .filter((agent) => agent.removedAt !== undefined && !agent.inboxSettled)
      .map((agent) => this.#see(agent));
  }

  async listForgettable(before: number): Promise<readonly string[]> {
    const { agents, epochs, runs } = this.#tables;
    const living = new Set(this.#living().map(({ parent }) => parent));
    const alive = new Set(
      [...epochs.values()].filter(({ endedAt }) => endedAt === undefined).map(({ agent }) => agent),
    );
    const isOver = ({ id, removedAt = before, inboxSettled }: StoredAgent): boolean =>
      removedAt < before &&
      inboxSettled === true &&
      !alive.has(id) &&
      !(runs.has(id) && runs.get(id)?.endedAt === undefined) &&
      !living.has(id);
    return [...agents.values()].filter(isOver).map(({ id }) => id);
  }

  async forget(id: string): Promise<void> {
    const { agents, epochs, runs, answers, interruptions } = this.#tables;
    const { name, session, removedAt } = agents.get(id) ?? {};
    if (name === undefined || session === undefined || removedAt === undefined) return;
    for (const [key, { agent }] of epochs) if (agent === id) this.#tables.delete(epochs, key);
    this.#tables.delete(runs, id);
    for (const [key, { agent }] of answers) if (agent === id) this.#tables.delete(answers, key);
    for (const [key, { agent }] of interruptions) {
      if (agent === id) this.#tables.delete(interruptions, key);
    }
    this.#tables.delete(agents, id);
    this.#tables.forgetNumbers(name);
    const isLast = [...agents.values()].every((other) => other.session !== session);
    if (isLast) this.#tables.delete(this.#tables.roots, session);
  }

  async findSession(root: string): Promise<string | undefined> {
    return [...this.#tables.roots].find(([, known]) => known === root)?.[0];
  }

  async findRoot(session: string): Promise<string | undefined> {
    return this.#tables.roots.get(session);
  }

  async setRoot(session: string, root: string): Promise<void> {
    this.#tables.set(this.#tables.roots, session, root);
  }

  /** With what is known of it only beside the others. */
  #see(agent: StoredAgent): StoredAgent {
    const others = this.#living().filter(({ id, name }) => name === agent.name && id !== agent.id);
    return others.length > 0 ? { ...agent, namesakes: true } : agent;
  }

  #living(): StoredAgent[] {
    return [...this.#tables.agents.values()].filter((agent) => agent.removedAt === undefined);
  }

  #get(id: string): StoredAgent {
    const agent = this.#tables.agents.get(id);
    if (!agent) throw new Error(`no agent ${id}`);
    return agent;
  }

  #put(agent: StoredAgent): void {
    this.#tables.set(this.#tables.agents, agent.id, agent);
  }
}
