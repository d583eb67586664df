import type { FakeAgent } from './agent.ts';

/** What an Esc may follow upon. */
export type Moment = 'landed' | 'answered' | 'queued';

/** A person waits for a moment to press Esc in, and knows what to do next. */
export class Wish {
  #wanted: { readonly moment: Moment; readonly next: () => void } | undefined;

  set(moment: Moment, next: () => void): void {
    this.#wanted = { moment, next };
  }

  /** The agent has come to such a moment. */
  meet(agent: FakeAgent, moment: Moment): void {
    const wanted = this.#wanted;
    if (wanted?.moment !== moment || !agent.stage.faults) return;
    this.#wanted = undefined;
    agent.after(0, 25, () => {
      agent.interrupt();
      wanted.next();
    });
  }
}
