import { type Agent, createUser } from '../../../src/agents/agent.ts';
import type { Surroundings } from '../../../src/delivery/claim.ts';
import type { World } from '../world.ts';
import { user } from '../world.ts';

/**
 * The real side of a random program: a world, some agents, and three processes that are killed and
 * started again.
 */
export class Play {
  readonly world: World;
  turns = 0;
  #agents: Agent[] = [createUser(0)];
  #named = 0;
  #processes: { pid: number; surroundings: Surroundings }[] = [];

  constructor(world: World) {
    this.world = world;
    for (let i = 0; i < 3; i++) this.#processes.push(this.#start());
  }

  async add(parent: number): Promise<Agent> {
    const under = this.agent(parent);
    const isChild = under && under.id !== user.id;
    const options = isChild ? { parent: under } : {};
    const agent = await this.world.add(`a${this.#named++}`, options);
    this.#agents.push(agent);
    return agent;
  }

  get agents(): readonly Agent[] {
    return this.#agents;
  }

  agent(n: number): Agent | undefined {
    return this.choose(this.#agents, n);
  }

  child(n: number): Agent | undefined {
    const children = this.#agents.filter(({ parent }) => parent !== undefined);
    return this.choose(children, n);
  }

  forget(agent: Agent): void {
    this.#agents = this.#agents
      .filter(({ id }) => id !== agent.id)
      .map((other) => {
        if (other.parent !== agent.id) return other;
        const { parent: _, ...rest } = other;
        return agent.parent === undefined ? rest : { ...rest, parent: agent.parent };
      });
  }

  process(n: number): { pid: number; surroundings: Surroundings } {
    const found = this.choose(this.#processes, n);
    if (!found) throw new Error('there are three processes');
    return found;
  }

  /** Kills one with -9, and starts another in its place. */
  kill(n: number): number {
    const { pid } = this.process(n);
    this.world.hosts.kill(pid);
    this.#processes[n % this.#processes.length] = this.#start();
    return pid;
  }

  choose<T>(from: readonly T[], n: number): T | undefined {
    return from.length === 0 ? undefined : from[n % from.length];
  }

  #start(): { pid: number; surroundings: Surroundings } {
    const host = this.world.hosts.start();
    return { pid: host.pid, surroundings: this.world.process(host) };
  }
}
