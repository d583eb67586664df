// Tests: test/contracts/unwritten.test.ts, test/integration/faults-disk-lives.test.ts.

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
): Promise<void> {
  const terminal = parseTerminal(epoch);
  // Then there is nothing to end, or nobody knows where it is.
  if (!terminal) return;
  const ending = cause === 'restarted' ? 'restarted' : 'stopped';
  const noted: KeptTerminal = { ...terminal, ending };
  await ledger.write((tx) =>
    tx.epochs.setTerminal(epoch.agent, epoch.epoch, JSON.stringify(noted)),
  );
}

/**
 * Why a life ended that was found dead: `stopped` if somebody had decided that, and `found`
 * otherwise. A restart that got no further counts as what was found: nobody wanted it to stay down.
 */
export function causeFound(epoch: Epoch, found: string): string {
  return parseTerminal(epoch)?.ending === 'stopped' ? 'stopped' : found;
}
