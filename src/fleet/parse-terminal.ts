import type { Epoch } from '../agents/epoch.ts';
import type { Terminal } from '../terminals/backend.ts';

/** Where a life is, as the ledger has it; undefined until its terminal exists. */
export function parseTerminal(epoch: Epoch | undefined): Terminal | undefined {
  return epoch?.terminal === undefined ? undefined : (JSON.parse(epoch.terminal) as Terminal);
}
