import type { Epoch } from '../agents/epoch.ts';
import type { FleetParts } from './parts.ts';

/** The private folder of one life. */
export function runFolder(
  { folders }: Pick<FleetParts, 'folders'>,
  { agent, epoch }: Pick<Epoch, 'agent' | 'epoch'>,
): string {
  return `${folders.run}/${agent}-${epoch}`;
}
