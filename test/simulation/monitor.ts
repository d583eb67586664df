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
  #blurredUntil = Number.NEGATIVE_INFINITY;
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
    this.#show(random.chance(0.5) ? 0 : random.between(0, 150));
  }

  /** For a while nobody can tell what it does. */
  blur(ms: number): void {
    this.#blurredUntil = this.#stage.scheduler.monotonicMs + ms;
    this.#show(0);
    this.#show(ms);
  }

  #show(lagMs: number): void {
    const { scheduler } = this.#stage;
    scheduler.after(new Life(), lagMs, () => {
      const isBlurred = scheduler.monotonicMs < this.#blurredUntil && this.status !== 'exited';
      this.shown = isBlurred ? 'unknown' : this.status;
      if (isAtRest(this.shown)) this.restSince ??= scheduler.monotonicMs;
      else this.restSince = undefined;
      this.#stage.audience?.shown(this.#agent);
      this.#stage.tell((delivery) => delivery.look(this.#agent));
    });
  }
}
