import { type Agent, isUser } from '../agents/agent.ts';
import type { Caller } from '../agents/caller.ts';
import { nameFor, referWithin } from '../agents/reference.ts';
import { accept } from '../delivery/accept.ts';
import { readAccepted, storedKey } from '../fleet/outgoing.ts';
import { findNamed, resolveAgent } from '../fleet/resolve-agent.ts';
import { Fault } from '../shared/fault.ts';
import { quote } from '../shared/quote.ts';
import type { LedgerTransaction } from '../store/ledger.ts';
import { nameAgents } from './name-agents.ts';
import type { TeamParts } from './parts.ts';
import { planLaunch } from './plan-launch.ts';

/** A task for somebody: an agent that lives, or a profile or provider to launch one from. */
export interface WantedTask {
  readonly caller: Pick<Caller, 'kind' | 'agent' | 'folder' | 'place'>;
  readonly to: string;
  readonly body: string;
  readonly key?: string;
  /** Of an agent that is launched for it. */
  readonly name?: string;
  readonly session?: string;
  readonly cwd: string;
  readonly worktree?: boolean;
  readonly model?: string;
  /** Its giver waits for the answer: an agent that is launched for it ends with it. */
  readonly isHandoff?: boolean | undefined;
  /** That agent does not end by itself; nor does one that was launched for an earlier task. */
  readonly keep?: boolean | undefined;
  /**
   * Of whoever asks from outside; a child of an agent gets what that one was launched with
   * (rule 40).
   */
  readonly callerEnv: Readonly<Record<string, string>>;
  readonly callerUmask?: number | undefined;
}

export interface Assigned {
  readonly task: string;
  readonly agent: Agent;
  readonly isLaunched: boolean;
  /** The key was known: this is what became of the first. */
  readonly isDuplicate: boolean;
  /** It had ended by itself, and is started again for this. */
  readonly isBack?: true;
  /**
   * It went to an agent that runs; a profile or provider has the same name, and this names that
   * one.
   */
  readonly also?: string;
}

/**
 * Gives a task. It and its debt are on disk when this returns (rule 30); for a new agent, before
 * its process begins. A key makes it repeatable: whoever died before the answer asks again and is
 * told of the first.
 */
export async function assign(parts: TeamParts, wanted: WantedTask): Promise<Assigned> {
  const { ledger, surroundings } = parts;
  const { caller, body, key } = wanted;
  const { first, worker } = await ledger.read(async (tx) => ({
    first: await findFirst(tx, wanted),
    worker: await findWorker(tx, wanted),
  }));
  if (first) return first;
  if (!worker) return launchFor(parts, wanted);
  const also = await findNamesake(parts, wanted);
  requireNoLaunch(wanted, worker, also);
  const draft = {
    ...({ kind: 'task', from: caller.agent.id, to: worker.id, body } as const),
    ...(caller.kind === 'script' ? { isScript: true } : {}),
    ...(isPromptFor(caller, worker) ? { isPrompt: true } : {}),
    ...(key === undefined ? {} : { key: storedKey(key) }),
    ...(caller.place === undefined ? {} : { evidence: `user, ${caller.place}` }),
  };
  const [accepted] = await accept(ledger, surroundings.clock, [draft], {
    breadth: parts.breadth ?? Number.POSITIVE_INFINITY,
    keepWorker: keptBy(wanted, worker),
  });
  if (!accepted) throw new Error('one draft has one outcome');
  const { id, duplicate, broughtBack } = readAccepted(accepted, wanted, worker);
  const back = broughtBack ? { isBack: true as const } : {};
  const given = { task: id, agent: worker, isLaunched: false, isDuplicate: duplicate, ...back };
  return also === undefined ? given : { ...given, also };
}

/**
 * What the user gives, and what a worker's parent gives where the user's profile says so (rule 51).
 */
function isPromptFor({ kind, agent }: WantedTask['caller'], { role, parent }: Agent): boolean {
  return kind === 'user' || (role?.takesTasksAsPrompts === true && parent === agent.id);
}

/** Only for whoever's word would bring it back: others do not decide how long it runs. */
function keptBy({ caller, keep }: WantedTask, { id, parent }: Agent): string | undefined {
  return keep && (isUser(caller.agent) || parent === caller.agent.id) ? id : undefined;
}

/**
 * An agent that runs wins over a profile or provider of its name; how that one is named is said
 * with it.
 */
async function findNamesake(
  { findTarget }: TeamParts,
  { to, cwd }: WantedTask,
): Promise<string | undefined> {
  try {
    const { role } = await findTarget(to, cwd);
    return role.profile === undefined ? `provider:${to}` : `profile:${to}`;
  } catch (error) {
    // There is none, or none that could be launched.
    if (error instanceof Fault) return undefined;
    throw error;
  }
}

/** Whoever says how it is to be launched means another. */
function requireNoLaunch(
  { caller, name, session, worktree, model }: WantedTask,
  worker: Agent,
  also: string | undefined,
): void {
  const isOther = name !== undefined && name.normalize('NFC') !== worker.name;
  const what = [
    ...(isOther ? ['a name'] : []),
    ...(session !== undefined && session !== worker.session ? ['a session'] : []),
    ...(worktree ? ['a worktree'] : []),
    ...(model === undefined ? [] : ['a model']),
  ];
  if (what.length === 0) return;
  throw new Fault(
    'invalid-input',
    `"${nameFor(caller.agent, worker)}" is an agent that runs, and ${what.join(' and ')} is for one that is launched; nothing was done.`,
    also === undefined ? 'Leave it out.' : `Leave it out, or launch another with "${also}".`,
  );
}

/** Rule 33: the same key is the same task, whatever has become of its agent. */
async function findFirst(
  tx: LedgerTransaction,
  { caller, key, body }: WantedTask,
): Promise<Assigned | undefined> {
  if (key === undefined) return undefined;
  const known = await tx.messages.findByKey(caller.agent.id, storedKey(key));
  if (!known) return undefined;
  const agent = await tx.agents.find(known.to);
  if (known.body === body && known.kind === 'task' && agent) {
    return { task: known.id, agent, isLaunched: false, isDuplicate: true };
  }
  throw new Fault(
    'key-conflict',
    `The key ${quote(key)} belongs to ${known.id}, which is another task.`,
    'Use a new key for a new task, or repeat the old one unchanged.',
  );
}

async function findWorker(tx: LedgerTransaction, wanted: WantedTask): Promise<Agent | undefined> {
  const { to, caller, session } = wanted;
  const isId = to.startsWith('agt_');
  // Whoever names a session means an agent of it, or one that is launched there.
  const reference = referWithin(session, to);
  const found = isId ? await tx.agents.find(to) : await findNamed(tx, reference, caller);
  if (isId && found?.removedAt !== undefined) {
    throw new Fault(
      'agent-not-found',
      `"${nameFor(caller.agent, found)}" has been removed.`,
      'Name another.',
    );
  }
  // Neither a profile nor a provider has such a name: the agent is missing, and that is said.
  if (!found && to.includes('/')) return resolveAgent(tx, to, caller);
  if (!found) return undefined;
  if (isUser(found)) {
    throw new Fault('not-allowed', 'The user takes no tasks.', 'Send a message instead.');
  }
  if (found.id === caller.agent.id) {
    throw new Fault('not-allowed', 'That is yourself.', 'Do it in this turn, or name another.');
  }
  return found;
}

async function launchFor(parts: TeamParts, wanted: WantedTask): Promise<Assigned> {
  const { to, cwd, caller, key, body, name, session, worktree, model } = wanted;
  const { callerEnv, callerUmask, keep, isHandoff } = wanted;
  const endsWith = keep ? undefined : isHandoff ? 'task' : 'rest';
  const target = await nameAgents(parts, () => parts.findTarget(to, cwd));
  const first = {
    body,
    kind: 'task',
    ...(key === undefined ? {} : { key: storedKey(key) }),
  } as const;
  // Of a task no other wish counts, whatever a request may bring along.
  const wish = {
    cwd,
    name,
    session,
    worktree,
    model,
    endsWith,
    callerEnv,
    callerUmask,
    first,
  } as const;
  let agent: Agent;
  try {
    agent = await parts.fleet.launch(planLaunch(caller, target, wish));
  } catch (error) {
    // The same key at the same moment: one of the two was first, and the agent of the other is gone
    // again.
    const first = await parts.ledger.read((tx) => findFirst(tx, wanted));
    if (first) return first;
    throw error;
  }
  const task = await parts.ledger.read(async (tx) => {
    const [debt] = await tx.debts.listOwedBy(agent.id);
    if (debt) return debt.task;
    // It ended at once, or was removed: the task is in its inbox all the same.
    const states = ['queued', 'claimed', 'injected', 'uncertain', 'seen', 'acked', 'dead'] as const;
    const [first] = await tx.messages.list({ to: agent.id, states, limit: 1 });
    return first?.id;
  });
  if (task === undefined) {
    throw new Fault(
      'launch-failed',
      `"${nameFor(caller.agent, agent)}" has lost its task.`,
      'Assign it again.',
    );
  }
  return { task, agent, isLaunched: true, isDuplicate: false };
}
