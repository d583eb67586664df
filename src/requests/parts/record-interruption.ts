import type { Agent } from '../../agents/agent.ts';
import type { Interruption } from '../../agents/interruption.ts';
import type { InterruptionEnd } from '../../agents/interruption-store.ts';
import { createId } from '../../shared/ids.ts';
import { UnwrittenFault } from '../../shared/unwritten.ts';
import type { LiveContext } from '../context.ts';

export interface InterruptionRecord {
  /** Just before the act. */
  begin(messages: readonly string[]): Promise<void>;
  /** What came of it. Nothing, where it never began. */
  end(end: Omit<InterruptionEnd, 'at'>): Promise<void>;
}

type InterruptionParts = Pick<LiveContext, 'ledger' | 'surroundings' | 'log'> & {
  readonly live: { readonly fleet: Pick<LiveContext['live']['fleet'], 'settleLeft'> };
};

/**
 * One row of the history: who asked for the end of the turn, and what came of it (rule 54). A
 * ledger that takes nothing, such as one on a full disk, keeps nobody from stopping an agent: then
 * the log has it alone.
 */
export function recordInterruption(
  { ledger, surroundings, log, live }: InterruptionParts,
  { id: agent, epoch }: Pick<Agent, 'id' | 'epoch'>,
  { by, who }: { readonly by: string; readonly who?: string | undefined },
): InterruptionRecord {
  const { clock } = surroundings;
  let id: string | undefined;
  const write = async (work: () => Promise<unknown>): Promise<boolean> => {
    try {
      await work();
      return true;
    } catch (error) {
      if (!(error instanceof UnwrittenFault)) throw error;
      log?.warn({ agent, why: error.why }, 'an interruption is not in the history');
      return false;
    }
  };
  return {
    begin: async (messages) => {
      const row: Interruption = {
        ...{ id: createId('itr', clock.now()), agent, epoch, outcome: 'pressing', presses: 0 },
        ...{ by, ...(who === undefined ? {} : { who }), place: 'terminal', messages },
        at: clock.now(),
      };
      const insert = async (): Promise<void> => {
        await live.fleet.settleLeft();
        await ledger.write((tx) => tx.interruptions.insert(row));
      };
      if (await write(insert)) id = row.id;
    },
    end: async (end) => {
      const known = id;
      if (known === undefined) return;
      const settled = { ...end, at: clock.now() };
      await write(() => ledger.write((tx) => tx.interruptions.settle(known, settled)));
    },
  };
}
