import type { AgentView } from '../protocol/agents.ts';
import { systemClock } from '../shared/clock.ts';
import { Fault } from '../shared/fault.ts';
import type { Happening } from './moment.ts';
import type { Stage } from './stage.ts';
import { tmuxByHand } from './tmux-by-hand.ts';

/** How long a person reads a question, in beats. */
const readBeats = 2;
/** A restart that failed, or a key that changed nothing, is tried again after this. */
const againMs = 1000;

/**
 * Plays the person who looks after the team, and does what such a one would by what signalbox shows, not by what the demo knows:
 * answers a question with a key in its terminal, and starts again what is shown as exited.
 */
export class Person {
  answered = 0;
  readonly #stage: Stage;
  readonly #beatMs: number;
  readonly #show: (happening: Happening) => void;
  readonly #onError: (error: unknown) => void;
  readonly #end = new AbortController();
  readonly #busy = new Map<string, Promise<void>>();

  constructor(
    stage: Stage,
    beatMs: number,
    show: (happening: Happening) => void,
    onError: (error: unknown) => void,
  ) {
    this.#stage = stage;
    this.#beatMs = beatMs;
    this.#show = show;
    this.#onError = onError;
  }

  lookAfter(agents: readonly AgentView[]): void {
    if (this.#end.signal.aborted) return;
    for (const agent of agents) {
      if (this.#busy.has(agent.name)) continue;
      if (agent.status === 'waiting') this.#begin(agent, () => this.#answer(agent));
      if (agent.status === 'exited') this.#begin(agent, () => this.#restart(agent));
    }
  }

  async close(): Promise<void> {
    this.#end.abort();
    await Promise.all(this.#busy.values());
  }

  /** One thing at a time for one agent. */
  #begin({ name }: AgentView, act: () => Promise<void>): void {
    const done = act()
      .catch((error: unknown) => {
        if (this.#end.signal.aborted) return;
        if (!(error instanceof Fault)) return this.#onError(error);
        // What is missing is what has just been killed; it comes back, or the demo's own patience ends.
        return systemClock.sleep(againMs, this.#end.signal).catch(() => undefined);
      })
      .finally(() => this.#busy.delete(name));
    this.#busy.set(name, done);
  }

  async #answer({ name, detail = '' }: AgentView): Promise<void> {
    const { client, home } = this.#stage;
    this.#show({ what: 'asked', agent: name, detail });
    await systemClock.sleep(readBeats * this.#beatMs, this.#end.signal);
    const target = (await client.attachCommand(name)).argv.at(-1) ?? '';
    await tmuxByHand(home, ['send-keys', '-t', target, 'Enter']);
    const isStill = async () => (await client.showAgent(name)).status === 'waiting';
    const untilMs = systemClock.monotonicMs() + againMs;
    while (await isStill()) {
      if (systemClock.monotonicMs() > untilMs) return;
      await systemClock.sleep(50, this.#end.signal);
    }
    this.answered++;
    this.#show({ what: 'answered', agent: name });
  }

  async #restart({ name, detail = '' }: AgentView): Promise<void> {
    const restarted = await this.#stage.client.restartAgents({ names: [name] }, { fresh: false });
    const [agent] = restarted.done;
    if (agent) this.#show({ what: 'restarted', agent: name, detail, epoch: agent.epoch });
    // What is shown may be a moment old.
    await systemClock.sleep(againMs, this.#end.signal);
  }
}
