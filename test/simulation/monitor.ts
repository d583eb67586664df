import type { AgentStatus } from '../../src/agents/agent.ts';
import { isAtRest } from '../../src/agents/remember-turn.ts';
import { Life } from './scheduler.ts';
import type { Stage } from './stage.ts';

/** An agent's status, and what the status monitor shows of it, a little later. */
export class FakeMonitor {
  status: AgentStatus = 'exited';
  shown: AgentStatus = 'exited';
  /** Since when it has been at rest, for the monitor. */
  restSince: number | undefined;
  readonly #stage: Stage;
  readonly #agent: string;

  constructor(stage: Stage, agent: string) {
    this.#stage = stage;
    this.#agent = agent;
  }

  set(status: AgentStatus): void {
    const { random } = this.#stage;
    if (!isAtRest(status)) this.restSince = undefined;
    this.status = status;
    this.#show(random.chance(0.5) ? 0 : random.between(0, 150), () => this.status);
  }

  /** For a while nobody can tell what it does. */
  blur(ms: number): void {
    this.#show(0, () => 'unknown');
    this.#show(ms, () => this.status);
  }

  #show(lagMs: number, find: () => AgentStatus): void {
    const { scheduler } = this.#stage;
    scheduler.after(new Life(), lagMs, () => {
      this.shown = find();
      if (isAtRest(this.shown)) this.restSince ??= scheduler.monotonicMs;
      else this.restSince = undefined;
      this.#stage.tell((delivery) => delivery.look(this.#agent));
    });
  }
}
