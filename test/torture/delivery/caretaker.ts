import { setTimeout as delay } from 'node:timers/promises';
import type { AgentView } from '../../../src/protocol/agents.ts';
import { systemClock } from '../../../src/shared/clock.ts';
import { isAtRest, type Person } from './person.ts';
import type { Station } from './station.ts';

/**
 * From the end of the load until nothing is under way: seconds, unless text was left in a composer
 * that somebody has to clear, and what waits behind it was refused so often that it is looked at
 * ever more rarely.
 */
const restMs = 240_000;

/**
 * Starts again what was killed, as whoever looks after a team does: the daemon, and agents that are
 * shown as exited.
 */
export class Caretaker {
  readonly count = { daemons: 0, restarts: 0 };
  readonly #station: Station;
  readonly #person: Person;
  readonly #busy = new Map<string, Promise<void>>();

  constructor(station: Station, person: Person) {
    this.#station = station;
    this.#person = person;
  }

  async run(isLoaded: () => boolean): Promise<void> {
    while (isLoaded()) {
      await this.#round();
      await delay(250);
    }
  }

  /** Until every agent rests and every inbox is at rest; what still is not when patience ends. */
  async untilAtRest(signal: AbortSignal): Promise<readonly string[]> {
    const end = systemClock.monotonicMs() + restMs;
    let left: readonly string[] = ['nobody has looked yet'];
    for (let calm = 0; calm < 3 && systemClock.monotonicMs() < end; ) {
      signal.throwIfAborted();
      const agents = await this.#round();
      left = agents
        ? this.#station.agents.flatMap((name) => findUnrest(name, agents))
        : ['no daemon answers'];
      calm = left.length === 0 ? calm + 1 : 0;
      await delay(400);
    }
    await Promise.all(this.#busy.values());
    return left;
  }

  async #round(): Promise<readonly AgentView[] | undefined> {
    const agents = await this.#station.look();
    if (!agents) {
      if ((await this.#station.run(['up'])).code === 0) this.count.daemons++;
      return undefined;
    }
    this.#person.lookAfter(agents);
    for (const { name, status } of agents) {
      if (status === 'exited' && !this.#busy.has(name)) this.#busy.set(name, this.#restart(name));
    }
    return agents;
  }

  async #restart(name: string): Promise<void> {
    const { code } = await this.#station.run(['restart', name]);
    if (code === 0) this.count.restarts++;
    this.#busy.delete(name);
  }
}

function findUnrest(name: string, agents: readonly AgentView[]): readonly string[] {
  const agent = agents.find((one) => one.name === name);
  if (!agent) return [`${name} is not there`];
  const { queued, claimed, uncertain } = agent.inbox;
  if (isAtRest(agent.status) && queued + claimed + uncertain === 0) return [];
  const inbox = `${queued} queued, ${claimed} claimed, ${uncertain} uncertain`;
  return [`${name} is ${agent.status}, ${inbox}; waits for: ${agent.waitsFor ?? 'nothing'}`];
}
