import type { Epoch } from '../agents/epoch.ts';
import { readUmask } from '../shared/umask.ts';
import { parseTerminal } from './parse-terminal.ts';

/** The umask of a life; of one that was begun before umasks were kept, what its process has. */
export function knownUmask(epoch: Epoch | undefined): number | undefined {
  if (epoch?.umask !== undefined || epoch?.endedAt !== undefined) return epoch.umask;
  const terminal = parseTerminal(epoch);
  return terminal && readUmask(terminal.pid);
}
