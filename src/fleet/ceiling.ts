import { type Agent, isUser } from '../agents/agent.ts';
import { isAtMost, type Permission } from '../agents/permission.ts';
import { callName } from '../agents/reference.ts';
import type { AddedRole, Role } from '../agents/role.ts';
import type { Provider } from '../providers/provider.ts';
import { Fault } from '../shared/fault.ts';
import type { WantedLaunch } from './fleet.ts';
import { findHolder, type Holder } from './permission-holder.ts';
import { type Asked, type Counted, countSession, widening } from './widening.ts';

/**
 * The permission ceiling: nothing that an agent asks for may do more without asking a person than
 * that agent may. The fleet asks here at every launch and restart, so it is the same for tools,
 * HTTP and the command line. What the user asks for has no ceiling.
 */

type Parts = Parameters<typeof findHolder>[0];

/**
 * The role that a child will have: as wanted, or with a permission where it has no wish. Throws
 * where it is too much.
 */
export async function limitRole(
  parts: Parts,
  provider: Provider,
  wanted: Asked & Pick<WantedLaunch, 'callerAgent' | 'parent'>,
): Promise<Role> {
  const { callerAgent, parent } = wanted;
  if (callerAgent === undefined || isUser({ id: callerAgent })) return wanted.role;
  const { role } = wanted;
  const above: Holder[] = [];
  for (const id of new Set([callerAgent, parent ?? callerAgent])) {
    const holder = await requireHolder(parts, id);
    // Where the child works binds whoever asks for it, and not whoever is named as its parent.
    const { cwd: _, session: __, worktree: ___, ...others } = wanted;
    const asked = id === callerAgent ? wanted : others;
    refuseTooMuch(holder, provider, { ...asked, role });
    above.push(holder);
  }
  const hasWish = role.permission !== undefined || role.permissionMode !== undefined;
  const given = hasWish ? undefined : chooseGiven(above, provider);
  return given === undefined ? role : { ...role, permission: given };
}

/**
 * What a child without a wish is told. Without a word a CLI does what the user's settings say,
 * which may be more: so it is told what its launcher has. Less would stop a team that works
 * unattended at every edit.
 */
function chooseGiven(above: readonly Holder[], { capabilities }: Provider): Permission | undefined {
  const isStated = above.some((holder) => holder.isStated && holder.permission !== 'all');
  if (!isStated || Object.keys(capabilities.permissions).length === 0) return undefined;
  return above
    .map(({ permission }) => permission)
    .reduce((least, held) => (isAtMost(held, least) ? held : least));
}

/** For the answer to a launch: that a child was given a mode although nobody asked for one. */
export function describeGiven(wanted: Role, given: Role): readonly string[] {
  const { permission } = given;
  if (permission === undefined || permission === wanted.permission) return [];
  return [
    `it was given the permission \`${permission}\`, which its launcher has, because its profile names no mode and the default of your CLI may be more`,
  ];
}

/**
 * For a restart: the next life has what the agent has, and that is no more than whoever asks for it
 * may give.
 */
export async function requireNoMore(
  parts: Parts,
  provider: Provider,
  callerAgent: string | undefined,
  { agent, ...asked }: { readonly agent: Agent } & Omit<Asked, 'role'>,
): Promise<void> {
  if (callerAgent === undefined || isUser({ id: callerAgent })) return;
  const above = await requireHolder(parts, callerAgent);
  if (above.permission === 'all') return;
  const child = await requireHolder(parts, agent.id);
  if (!isAtMost(child.permission, above.permission)) {
    throw tooMuch(above, `"${callName(agent)}" has \`${child.permission}\``, restartNext);
  }
  refuseWider(above, provider, { ...asked, role: agent.role ?? {} }, restartNext);
}

/** An agent that is not in the ledger has no permission that others could have at most. */
async function requireHolder(parts: Parts, id: string): Promise<Holder> {
  const holder = await findHolder(parts, id);
  if (holder) return holder;
  throw new Fault('agent-not-found', `There is no agent ${id}.`, 'See `signalbox ls`.');
}

function refuseTooMuch(above: Holder, provider: Provider, asked: Asked): void {
  const { permission: held } = above;
  if (held === 'all') return;
  refuseWider(above, provider, asked, launchNext(above));
  const steps = Object.values(provider.capabilities.permissions);
  if (held === 'read-only' && !steps.includes('read-only')) {
    const reason = `${provider.title} has no mode known to us that only reads`;
    throw tooMuch(above, reason, launchNext(above));
  }
}

function refuseWider(above: Holder, provider: Provider, asked: Asked, next: string): void {
  for (const count of Object.values(widening)) {
    const counted = count(asked, above, provider);
    if (!counted || isAtMost(counted.permission, above.permission)) continue;
    throw tooMuch(above, describe(counted), next);
  }
}

function describe({ what, permission }: Counted): string {
  return `${what} counts as \`${permission}\``;
}

function launchNext({ agent }: Holder): string {
  return `Launch it without that (another profile or provider, no arguments after \`--\`, your own folder and session), or ask the user to launch it with \`--parent ${callName(agent)}\`.`;
}
const restartNext = 'Ask the user to restart it.';

function tooMuch({ agent, permission }: Holder, reason: string, next: string): Fault {
  return new Fault(
    'not-allowed',
    `An agent may launch others with at most its own permission; "${callName(agent)}" has \`${permission}\`, and ${reason}.`,
    next,
  );
}

/**
 * What an agent counts as that another one adds to the ledger, without a process of ours. It acts
 * in its own name, so it must be no way round the ceiling: it gets the session of its adder, no
 * more permission, and launches nothing where its adder may not. Undefined for what the user adds.
 */
export async function limitAdded(
  parts: Parts,
  adder: Pick<Agent, 'id'>,
  { session, cwd }: Required<Pick<Asked, 'session' | 'cwd'>>,
): Promise<AddedRole | undefined> {
  if (isUser(adder)) return undefined;
  const above = await requireHolder(parts, adder.id);
  const counted = countSession({ session }, above);
  if (counted && !isAtMost(counted.permission, above.permission)) {
    throw tooMuch(above, describe(counted), launchNext(above));
  }
  // Of one that was added nothing is known, so it counts as `ask`; an adder with `all` gives no
  // more, but may launch in every folder.
  if (above.permission === 'all') return { launchesIn: cwd };
  // Left unstated, its children would get the default of the user's CLI, which may be more.
  const { permission, isStated, folder: launchesIn } = above;
  return { launchesIn, ...(isStated ? { permission } : {}) };
}
