import { isAtRest } from '../agents/remember-turn.ts';
import type { TeamParts } from './parts.ts';

/** A status may say for a moment that an agent rests which does not. */
export const forgottenMs = 2000;

/**
 * Whether the agent that waits in a call waits any longer. Gemini CLI 0.61.0 drops a call that a
 * person breaks off, tells its server nothing, and throws the result away: there only its rest
 * shows it. Others cancel their calls, and may wait in one while they rest (a sub-agent of Claude
 * Code does): of them nothing is concluded.
 */
export async function watchCaller(
  { ledger, surroundings, forgetsCalls }: TeamParts,
  task: string,
): Promise<{
  /**
   * For how long it has rested since this wait began; undefined: it does not, or that says nothing.
   */
  restsMs(): Promise<number | undefined>;
}> {
  const { clock } = surroundings;
  const startedAt = clock.now();
  const creditor = await ledger.read(async (tx) => {
    const debt = await tx.debts.find(task);
    return debt && tx.agents.find(debt.creditor);
  });
  const isForgetful = creditor !== undefined && (await forgetsCalls?.(creditor.provider)) === true;
  return {
    restsMs: async () => {
      if (!isForgetful) return undefined;
      const now = await ledger.read((tx) => tx.agents.find(creditor.id));
      if (!now || !isAtRest(now.status) || now.since < startedAt) return undefined;
      const restsMs = clock.now() - now.since;
      return restsMs < 0 ? undefined : restsMs;
    },
  };
}
