// Tests: test/contracts/fleet.test.ts.
import type { KeptTerminal } from '../agents/epoch-terminal.ts';
import type { Clock } from '../shared/clock.ts';
import { hasNoTerminal } from '../shared/processes.ts';

/** A CLI may need this long to end after its terminal was closed (OpenCode 1.18.33: 3 to 7 s). */
const hangupMs = 8000;

/**
 * Programs that live on after their terminal was closed, and when each is to be ended: a person has
 * closed it and expects the agent to end, and OpenCode 1.18.33 may go on with a core at 100 %. A
 * program counts only if it was seen in a terminal before (not every system tells) and has none
 * now. One that still has a terminal may be in a server that we cannot see, such as another herdr.
 */
export class Survivors {
  readonly #clock: Clock;
  readonly #since = new Map<string, { readonly epoch: number; readonly atMs: number }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * `due`: it is to be ended now, told at most once for each life. `soon`: it should end by itself,
   * and is to be looked at again. `never`: it is left alone.
   */
  judge(terminal: KeptTerminal): 'due' | 'soon' | 'never' {
    const { agent, epoch, pid, hadTty } = terminal;
    if (!hadTty || !hasNoTerminal(pid)) {
      this.forget(agent);
      return 'never';
    }
    const nowMs = this.#clock.monotonicMs();
    const known = this.#since.get(agent);
    if (known?.epoch !== epoch) {
      this.#since.set(agent, { epoch, atMs: nowMs });
      return 'soon';
    }
    if (nowMs - known.atMs < hangupMs) return known.atMs <= nowMs ? 'soon' : 'never';
    this.#since.set(agent, { epoch, atMs: Number.POSITIVE_INFINITY });
    return 'due';
  }

  forget(agent: string): void {
    this.#since.delete(agent);
  }
}
