// Tests: test/contracts/unwritten.test.ts, test/integration/faults-disk-lives.test.ts.

import type { EndedBy } from '../agents/ending.ts';
import type { Epoch } from '../agents/epoch.ts';
import type { KeptTerminal } from '../agents/epoch-terminal.ts';
import { parseTerminal } from './parse-terminal.ts';
import type { FleetParts } from './parts.ts';
import type { StopCause } from './stop.ts';

/**
 * Notes that somebody ends this life, before any process is touched. A ledger that cannot be
 * written refuses here, and the agent goes on. Whatever fails between this and the note of the end,
 * the reconciliation that finds the life dead knows that somebody wanted it so.
 */
export async function noteEnding(
  { ledger }: Pick<FleetParts, 'ledger'>,
  epoch: Epoch,
  cause: StopCause,
  by?: EndedBy,
): Promise<void> {
  const terminal = parseTerminal(epoch);
  // Then there is nothing to end, or nobody knows where it is.
  if (!terminal && by === undefined) return;
  await ledger.write(async (tx) => {
    if (by !== undefined) await tx.agents.setEnded(epoch.agent, by);
    if (!terminal) return;
    const noted: KeptTerminal = { ...terminal, ending: cause === 'removed' ? 'stopped' : cause };
    await tx.epochs.setTerminal(epoch.agent, epoch.epoch, JSON.stringify(noted));
  });
}

/**
 * Why a life ended that was found dead: what had been decided, and `found` otherwise. A restart
 * that got no further counts as what was found: nobody wanted it to stay down.
 */
export function causeFound(epoch: Epoch, found: string): string {
  const { ending = 'restarted' } = parseTerminal(epoch) ?? {};
  return ending === 'restarted' ? found : ending;
}

/** Its work was done, and we died while we ended it: half of it may be gone. */
export function findOwnEnd(epoch: Epoch): 'task-done' | 'rested' | undefined {
  const { ending } = parseTerminal(epoch) ?? {};
  return ending === 'task-done' || ending === 'rested' ? ending : undefined;
}
