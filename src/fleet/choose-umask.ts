import { isUser } from '../agents/agent.ts';
import type { Epoch } from '../agents/epoch.ts';
import { readUmask, strictestUmask } from '../shared/umask.ts';
import type { WantedLaunch } from './fleet.ts';
import { parseTerminal } from './parse-terminal.ts';
import type { FleetParts } from './parts.ts';

/**
 * Under which umask an agent's programs start: its launcher's, and never the daemon's, which is
 * that of whoever happened to start it. A child of an agent gets its parent's, whatever the
 * parent's shell tool has made of it: an agent sets none.
 */
export async function chooseUmask(
  { ledger }: Pick<FleetParts, 'ledger'>,
  { callerAgent, callerUmask }: Pick<WantedLaunch, 'callerAgent' | 'callerUmask'>,
): Promise<number> {
  if (callerAgent === undefined || isUser({ id: callerAgent }))
    return callerUmask ?? strictestUmask;
  const caller = await ledger.read(async (tx) => {
    const agent = await tx.agents.find(callerAgent);
    return agent && tx.epochs.find(agent.id, agent.epoch);
  });
  return knownUmask(caller) ?? strictestUmask;
}

/** Of a life that was begun before umasks were kept, what its process has. */
export function knownUmask(epoch: Epoch | undefined): number | undefined {
  if (epoch?.umask !== undefined || epoch?.endedAt !== undefined) return epoch.umask;
  const terminal = parseTerminal(epoch);
  return terminal && readUmask(terminal.pid);
}
