import type { Agent } from '../agents/agent.ts';
import type { Permission } from '../agents/permission.ts';
import { reportBug } from '../shared/report-bug.ts';
import type { FleetParts } from './parts.ts';

/** An agent, and what it may do without asking a person. */
export interface Holder {
  readonly agent: Agent;
  readonly permission: Permission;
  /**
   * Its profile, its launch or its arguments say so; else nothing is known, and it counts as one
   * that asks.
   */
  readonly isStated: boolean;
  /** Where what it launches works. */
  readonly folder: string;
}

/** What is known of it: its own arguments win over its role, as they do in its CLI. */
export async function findHolder(
  parts: Pick<FleetParts, 'ledger'> & { readonly providers: Pick<FleetParts['providers'], 'find'> },
  id: string,
): Promise<Holder | undefined> {
  const found = await parts.ledger.read(async (tx) => {
    const agent = await tx.agents.find(id);
    return agent && { agent, epoch: await tx.epochs.find(agent.id, agent.epoch) };
  });
  if (!found) return undefined;
  const { agent, epoch } = found;
  // A program that is described no longer: nothing is known of it.
  const provider = await parts.providers
    .find(agent.provider)
    .catch((error) => reportBug("finding an agent's provider", error));
  const folder = agent.role?.launchesIn ?? agent.cwd;
  // What it was launched with cannot be read: it may have been told to read only.
  if (agent.damaged || epoch?.damaged) {
    return { agent, permission: 'read-only', isStated: true, folder };
  }
  const { permissionMode: mode, permission } = agent.role ?? {};
  const said = provider?.readPermission?.(epoch?.extraArgs ?? []);
  const modes = provider?.capabilities.permissions ?? {};
  const mapped = mode === undefined ? permission : readMode(modes, mode);
  const stated = said ?? mapped;
  return { agent, permission: stated ?? 'ask', isStated: stated !== undefined, folder };
}

/** Undefined for a name that the CLI is not known to have; `constructor` is none either. */
export function readMode(
  modes: Readonly<Record<string, Permission>>,
  mode: string,
): Permission | undefined {
  return Object.hasOwn(modes, mode) ? modes[mode] : undefined;
}
