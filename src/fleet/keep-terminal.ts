import type { Epoch } from '../agents/epoch.ts';
import { type KeptTerminal, readTerminal } from '../agents/epoch-terminal.ts';
import { hasNoTerminal } from '../shared/processes.ts';
import type { Terminal } from '../terminals/backend.ts';
import type { FleetParts } from './parts.ts';

/**
 * Writes down where a life is, and that its program has a terminal: a program that has none later
 * has lost it (`survivors.ts`). Nothing is written that is on record already.
 */
export async function keepTerminal(
  { ledger }: Pick<FleetParts, 'ledger'>,
  { agent, epoch, terminal: text }: Epoch,
  terminal: Terminal,
): Promise<void> {
  const known = text === undefined ? undefined : readTerminal(text);
  const hadTty = known?.hadTty ?? (process.platform === 'linux' && !hasNoTerminal(terminal.pid));
  if (known && known.hadTty === (hadTty || undefined)) return;
  const kept: KeptTerminal = { ...terminal, ...(hadTty ? { hadTty } : {}) };
  await ledger.write((tx) => tx.epochs.setTerminal(agent, epoch, JSON.stringify(kept)));
}
