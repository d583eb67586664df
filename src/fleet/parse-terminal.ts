import type { Epoch } from '../agents/epoch.ts';
import { type KeptTerminal, readTerminal } from '../agents/epoch-terminal.ts';

/**
 * Where a life is, as the ledger has it; undefined until its terminal exists, and where the ledger
 * cannot be read (`damaged`).
 */
export function parseTerminal(epoch: Epoch | undefined): KeptTerminal | undefined {
  return epoch?.terminal === undefined ? undefined : readTerminal(epoch.terminal);
}
