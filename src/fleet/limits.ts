import { type Agent, isUser } from '../agents/agent.ts';
import { isAtMost, type Permission } from '../agents/permission.ts';
import type { Role } from '../agents/role.ts';
import type { Provider } from '../providers/provider.ts';
import { Fault } from '../shared/fault.ts';
import { quote } from '../shared/quote.ts';
import { reportBug } from '../shared/report-bug.ts';
import type { LedgerTransaction } from '../store/ledger.ts';
import type { WantedLaunch } from './fleet.ts';
import type { FleetParts } from './parts.ts';
import { requireDescendant } from './resolve-agent.ts';

/**
 * What an agent may launch by itself, over whatever way it asks: no more generations and no more children at once than the
 * settings say, and nothing that may do more without asking than it may itself. A person has no such limits; what a person
 * launches is where the counting begins.
 */
export interface TeamLimits {
  /** Generations below an agent that a person launched. */
  readonly depth: number;
  /** Running children of one agent. */
  readonly breadth: number;
}

/** In the transaction that adds the child: two launches at once cannot both be the last one. */
export async function checkTree(
  tx: LedgerTransaction,
  limits: TeamLimits,
  { callerAgent, parent }: Pick<WantedLaunch, 'callerAgent' | 'parent'>,
): Promise<void> {
  const caller = callerAgent === undefined ? undefined : await tx.agents.find(callerAgent);
  const above = caller && (await tx.agents.find(parent ?? caller.id));
  if (!caller || !above || isUser(caller)) return;
  // Otherwise it could spread its children over others without end.
  if (above.id !== caller.id) await requireDescendant(tx, caller, above);
  const whose = above.id === caller.id ? 'You' : `"${above.name}"`;
  const depth = (await countAncestors(tx, above)) + 1;
  if (depth > limits.depth) {
    throw refused(
      `${whose} would get a child of generation ${depth}, and agents may launch ${limits.depth} below one that the user launched`,
      'Do the task yourself, send it to an agent that runs (`list_agents`), or report to whoever gave it to you; the user can raise `depth-limit`.',
    );
  }
  const children = (await tx.agents.listChildren(above.id)).filter(isAtWork);
  if (children.length >= limits.breadth) {
    const names = children.slice(0, 10).map(({ name }) => name);
    throw refused(
      `${whose} already ${whose === 'You' ? 'have' : 'has'} ${children.length} running children, and ${limits.breadth} are allowed: ${names.join(', ')}`,
      'Give the task to one of them by name, or stop one first (`signalbox stop <name>`); the user can raise `breadth-limit`.',
    );
  }
}

/** The role it will have: as wanted, or with the caller's permission where it has no wish. Throws where that is too much. */
export async function limitRole(
  parts: Pick<FleetParts, 'ledger' | 'providers'>,
  provider: Provider,
  wanted: Pick<WantedLaunch, 'callerAgent' | 'parent' | 'role' | 'extraArgs'>,
): Promise<Role> {
  const { callerAgent, parent } = wanted;
  if (callerAgent === undefined || isUser({ id: callerAgent })) return wanted.role;
  let { role } = wanted;
  for (const id of new Set([callerAgent, parent ?? callerAgent])) {
    const above = await findHolder(parts, id);
    if (above) role = limitBy(above, provider, { ...wanted, role });
  }
  return role;
}

interface Holder {
  readonly agent: Agent;
  readonly permission: Permission;
}

function limitBy(
  { agent, permission: held }: Holder,
  provider: Provider,
  { role, extraArgs }: Pick<WantedLaunch, 'role' | 'extraArgs'>,
): Role {
  const wish = readWish(agent, provider, { role, extraArgs });
  // Without a word a CLI asks. Whoever may not even ask hands that on in so many words.
  if (held === 'all' || (!wish && isAtMost('ask', held))) return role;
  const { permission, what } = wish ?? { permission: held, what: 'it' };
  const onlyReads = Object.values(provider.capabilities.permissions).includes('read-only');
  if (!isAtMost(permission, held))
    throw tooMuch(agent, held, `${what} counts as \`${permission}\``);
  if (held === 'read-only' && !onlyReads) {
    throw tooMuch(agent, held, `${provider.title} has no mode known to us that only reads`);
  }
  return wish ? role : { ...role, permission: held };
}

function tooMuch({ name }: Agent, held: Permission, reason: string): Fault {
  return refused(
    `An agent may launch others with at most its own permission; "${name}" has \`${held}\`, and ${reason}`,
    'Launch it without that (another profile or provider, no arguments after `--`), or ask the user to launch it.',
  );
}

/** What was asked for in so many words; undefined when nothing was. */
function readWish(
  above: Agent,
  provider: Provider,
  { role, extraArgs }: Pick<WantedLaunch, 'role' | 'extraArgs'>,
): { readonly permission: Permission; readonly what: string } | undefined {
  const { permissions } = provider.capabilities;
  const { permissionMode: mode, permission } = role;
  // Nobody can tell what they mean for every CLI and version.
  if (extraArgs.length > 0) return { permission: 'all', what: 'an argument for the CLI itself' };
  const mayMore = role.allowedTools?.find((tool) => !above.role?.allowedTools?.includes(tool));
  if (mayMore !== undefined) {
    return { permission: 'all', what: `allowing ${mayMore}, which you are not allowed yourself,` };
  }
  if (mode !== undefined) {
    const known = Object.hasOwn(permissions, mode) ? permissions[mode] : undefined;
    return { permission: known ?? 'all', what: `the mode ${quote(mode, 40)}` };
  }
  return permission && { permission, what: `the permission \`${permission}\`` };
}

/** What is known of it: its own arguments win over its role, as they do in its CLI. */
async function findHolder(
  parts: Pick<FleetParts, 'ledger' | 'providers'>,
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
  const { permissionMode: mode, permission } = agent.role ?? {};
  const said = provider?.readPermission?.(epoch?.extraArgs ?? []);
  const mapped = mode === undefined ? permission : provider?.capabilities.permissions[mode];
  return { agent, permission: said ?? mapped ?? 'ask' };
}

/** Those that only pull are programs of somebody else, and cost us nothing. */
function isAtWork({ status, backend }: Agent): boolean {
  return status !== 'exited' && backend !== 'none';
}

/** The user is nobody's parent, and a cycle is refused when a parent is set. */
async function countAncestors(tx: LedgerTransaction, agent: Agent): Promise<number> {
  let count = 0;
  for (let at = agent.parent; at !== undefined; at = (await tx.agents.find(at))?.parent) count++;
  return count;
}

function refused(what: string, next: string): Fault {
  return new Fault('not-allowed', `${what}.`, next);
}
