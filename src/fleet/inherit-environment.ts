import { isUser } from '../agents/agent.ts';
import { readEnvironment } from '../shared/process-tree.ts';
import type { WantedLaunch } from './fleet.ts';
import { parseTerminal } from './parse-terminal.ts';
import type { FleetParts } from './parts.ts';

/** A child gets what its parent was launched with, not what its parent's shell tool made of it (rule 40). */
export async function inheritEnvironment(
  parts: FleetParts,
  wanted: WantedLaunch,
): Promise<Readonly<Record<string, string>>> {
  const { callerAgent } = wanted;
  if (callerAgent === undefined || isUser({ id: callerAgent })) return wanted.callerEnv;
  const caller = await parts.ledger.read(async (tx) => {
    const agent = await tx.agents.find(callerAgent);
    return agent && tx.epochs.find(agent.id, agent.epoch);
  });
  const pid = caller?.endedAt === undefined ? parseTerminal(caller)?.pid : undefined;
  const own = pid === undefined ? undefined : readEnvironment(pid);
  if (!own) return wanted.callerEnv;
  // What points into the parent's run folder was set for the parent alone, and goes with it.
  const isPrivate = (value: string): boolean => value.includes(`${parts.folders.run}/`);
  return Object.fromEntries(Object.entries(own).filter(([, value]) => !isPrivate(value)));
}
