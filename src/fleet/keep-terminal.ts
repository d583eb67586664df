// Tests: test/contracts/fleet.test.ts, test/integration/faults-sandbox.test.ts.

import type { Epoch } from '../agents/epoch.ts';
import { type KeptTerminal, readTerminal } from '../agents/epoch-terminal.ts';
import { hasNoTerminal } from '../shared/processes.ts';
import type { Terminal } from '../terminals/terminal.ts';
import type { FleetParts } from './parts.ts';

/**
 * Writes down where a life is, in which pid namespace its process number counts, and that its
 * program has a terminal: a program that has none later has lost it (`survivors.ts`). Nothing is
 * written that is on record already. A life that goes on although its end was noted
 * (`noteEnding`) is not ending any more.
 */
export async function keepTerminal(
  { ledger, surroundings }: Pick<FleetParts, 'ledger' | 'surroundings'>,
  { agent, epoch, terminal: text }: Epoch,
  terminal: Terminal,
): Promise<void> {
  const known = text === undefined ? undefined : readTerminal(text);
  const { pidSpace } = surroundings.host.identity;
  const isPlaced = known?.pidSpace !== undefined && known.ending === undefined;
  // Every look at a fleet at rest comes here: what is on record is not read from /proc again.
  if (isPlaced && known.hadTty) return;
  const hadTty = process.platform === 'linux' && !hasNoTerminal(terminal.pid);
  if (isPlaced && !hadTty) return;
  const kept: KeptTerminal = { ...terminal, pidSpace, ...(hadTty ? { hadTty } : {}) };
  await ledger.write(async (tx) => {
    await tx.epochs.setTerminal(agent, epoch, JSON.stringify(kept));
    // Only now is it back: whoever was killed before this begins again.
    await tx.agents.setEnded(agent, undefined);
  });
}
