import type { WaitReason } from '../../src/messages/wait-reason.ts';
import type { FakeAgent } from './agent.ts';
import { spawnWaiter } from './hooks.ts';
import type { Life } from './scheduler.ts';

/**
 * What stands beside one agent to wake it: a hook that waits, or a connection. Somebody may kill it
 * alone (rule 53).
 */
export class FakeChannel {
  /** The connection is gone. */
  isCut = false;
  /** The newest hook that waits. */
  waiter: Life | undefined;
  #failures = 0;

  /** Says whether there was anything to kill. */
  kill({ kind }: FakeAgent): boolean {
    if (kind.ways.hasWaitingHook) {
      const isThere = this.waiter !== undefined && !this.waiter.isOver;
      this.waiter?.end();
      return isThere;
    }
    if (!kind.ways.routes.includes('native') || this.isCut) return false;
    this.isCut = true;
    return true;
  }

  /** As the provider does it. A try may miss; two in a row are as bad as it gets. */
  async putUp(agent: FakeAgent): Promise<WaitReason | undefined> {
    const { kind, stage } = agent;
    if (kind.staysCut)
      return { code: 'cannot-be-put-up', why: 'it comes back with its next start' };
    if (this.#failures < 2 && stage.random.chance(0.3)) {
      this.#failures++;
      return stage.random.chance(0.5) ? noAnswer : undefined;
    }
    this.#failures = 0;
    agent.after(100, 1500, () => {
      stage.account.note(kind.name, 'put up again');
      this.isCut = false;
      spawnWaiter(agent, 'spare');
    });
    return undefined;
  }
}

const noAnswer: WaitReason = { code: 'cannot-be-put-up', why: 'it did not answer' };
