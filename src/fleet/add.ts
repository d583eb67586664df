import { type Agent, createPuller, isUser } from '../agents/agent.ts';
import type { AddedRole } from '../agents/role.ts';
import type { Clock } from '../shared/clock.ts';
import { Fault } from '../shared/fault.ts';
import { findGitRoot } from '../shared/git-root.ts';
import { createId } from '../shared/ids.ts';
import type { Ledger } from '../store/ledger.ts';
import { enterSession } from './choose-session.ts';
import { insertAgent, nameTaken } from './insert-agent.ts';

export interface NewAgent {
  readonly name: string;
  /** Undefined: that of the project of its folder. */
  readonly session: string | undefined;
  readonly parent?: string;
  readonly notify: boolean;
  readonly cwd: string;
  /** Of one that an agent adds: what it counts as when it launches others (ceiling.ts). */
  readonly role?: AddedRole;
}

/** Adds an agent without a terminal of ours: it pulls. */
export async function add(ledger: Ledger, clock: Clock, wanted: NewAgent): Promise<Agent> {
  const now = clock.now();
  const root = wanted.session === undefined ? findGitRoot(wanted.cwd) : undefined;
  let { session } = wanted;
  const agent = await ledger.write(async (tx) => {
    // The parent may have been removed since it was looked up.
    const { parent } = wanted;
    if (parent !== undefined && !(await tx.agents.isLiving(parent))) throw parentGone();
    session = wanted.session ?? (await enterSession(tx, root));
    return insertAgent(tx, { ...createPuller(createId('agt', now), now), ...wanted, session });
  });
  if (agent) return agent;
  throw nameTaken(`${session}/${wanted.name}`, 'added');
}

/** Sets who an agent's completions go to. A parent of itself, or a cycle, is refused (rule 29). */
export async function setParent(
  ledger: Ledger,
  id: string,
  parent: string | undefined,
): Promise<void> {
  await ledger.write(async (tx) => {
    if (parent !== undefined && !(await tx.agents.isLiving(parent))) throw parentGone();
    for (let at = parent; at !== undefined; at = (await tx.agents.find(at))?.parent) {
      if (at !== id) continue;
      throw new Fault(
        'parent-cycle',
        'An agent cannot be its own parent, nor that of one of its ancestors.',
        'Name a parent outside its own descendants.',
      );
    }
    if (isUser({ id })) {
      throw new Fault('not-allowed', 'The user has no parent.', 'Name an agent.');
    }
    await tx.agents.setParent(id, parent);
  });
}

function parentGone(): Fault {
  return new Fault(
    'agent-not-found',
    'That parent has been removed, or never was.',
    'Name another parent, or none.',
  );
}
