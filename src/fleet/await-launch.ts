import type { Agent } from '../agents/agent.ts';
import { awaitStart } from './await-start.ts';
import { explainEnd } from './explain-end.ts';
import type { FleetParts } from './parts.ts';
import { noTerminal } from './restart.ts';
import type { Roster } from './roster.ts';

/**
 * Waits until the present life of an agent is beyond its start, and throws what its CLI said when
 * it has ended (rule 48). When the time is over first it is still starting.
 */
export async function awaitLaunch(
  parts: FleetParts,
  roster: Roster,
  id: string,
  wait: { readonly limitMs: number; readonly signal: AbortSignal },
): Promise<Agent> {
  const { agent, epoch } = await roster.find(id);
  if (!epoch) throw noTerminal(agent);
  const start = await awaitStart(parts, roster, { agent: id, epoch: epoch.epoch }, wait);
  if (typeof start === 'object') {
    const { startedAt } = epoch;
    throw await explainEnd(parts, agent, start, { startedAt, resumed: undefined });
  }
  return (await roster.find(id)).agent;
}
