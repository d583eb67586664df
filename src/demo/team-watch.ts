import type { AgentView } from '../protocol/agents.ts';
import { systemClock } from '../shared/clock.ts';
import { Fault } from '../shared/fault.ts';
import { team } from './plot.ts';
import { type Stage, session } from './stage.ts';

/** How often the team is looked at. Its turns take several times as long. */
const lookEveryMs = 100;

/** What signalbox says of the team, as somebody sees it who asks all the time. */
export class TeamWatch {
  readonly #stage: Stage;
  readonly #onLook: (agents: readonly AgentView[]) => void;
  readonly #end = new AbortController();
  #agents: readonly AgentView[] = [];
  #looks = 0;
  #loop: Promise<void> = Promise.resolve();

  constructor(stage: Stage, onLook: (agents: readonly AgentView[]) => void) {
    this.#stage = stage;
    this.#onLook = onLook;
  }

  get agents(): readonly AgentView[] {
    return this.#agents;
  }

  /** Looks that were begun and answered since the start. */
  get looks(): number {
    return this.#looks;
  }

  find(name: string): AgentView | undefined {
    return this.#agents.find((agent) => agent.name === name);
  }

  /** Only the daemon knows the composer, and only of an agent that it watches. */
  isWatched(name: string): boolean {
    const agent = this.find(name);
    const isKnown = agent && !['exited', 'unknown', 'starting'].includes(agent.status);
    return isKnown === true && agent?.composer !== undefined;
  }

  start(onError: (error: unknown) => void): void {
    this.#loop = this.#run().catch((error: unknown) => {
      // Afterwards everything that it asks is being ended.
      if (!this.#end.signal.aborted) onError(error);
    });
  }

  async close(): Promise<void> {
    this.#end.abort();
    await this.#loop;
  }

  async #run(): Promise<void> {
    for (;;) {
      this.#note(await this.#look());
      await systemClock.sleep(lookEveryMs, this.#end.signal);
    }
  }

  async #look(): Promise<readonly AgentView[]> {
    try {
      const agents = await this.#stage.client.listAgents(session);
      this.#looks++;
      return [...agents].sort((a, b) => team.indexOf(a.name) - team.indexOf(b.name));
    } catch (error) {
      // The daemon was killed while we asked it; the next look finds another.
      if (error instanceof Fault) return this.#agents;
      throw error;
    }
  }

  #note(agents: readonly AgentView[]): void {
    this.#end.signal.throwIfAborted();
    this.#agents = agents;
    this.#onLook(agents);
  }
}
