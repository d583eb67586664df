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
  const creditor = await ledger.read(async (tx) => {
    const debt = await tx.debts.find(task);
    return debt && tx.agents.find(debt.creditor);
  });
  const isForgetful = creditor !== undefined && (await forgetsCalls?.(creditor.provider)) === true;
  // What it is at when the wait begins says nothing: its status may be behind.
  let known: Rest | undefined = creditor && { since: creditor.since, atMs: undefined };
  return {
    restsMs: async () => {
      if (!isForgetful) return undefined;
      const now = await ledger.read((tx) => tx.agents.find(creditor.id));
      const nowMs = clock.monotonicMs();
      if (!now || !isAtRest(now.status)) known = undefined;
      else if (known?.since !== now.since) known = { since: now.since, atMs: nowMs };
      return known?.atMs === undefined ? undefined : nowMs - known.atMs;
    },
  };
}

/** One rest, known by its stamp; its length by the clock that nobody sets (rule 5). */
interface Rest {
  readonly since: number;
  /** When it was seen first; undefined for one that was there before. */
  readonly atMs: number | undefined;
}
