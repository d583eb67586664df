// Tests: test/contracts/namesakes.test.ts.

import { type Agent, isUser } from '../agents/agent.ts';
import { closestName } from '../agents/agent-name.ts';
import type { Caller } from '../agents/caller.ts';
import {
  type AgentReference,
  callName,
  fullName,
  nameFor,
  type Picked,
  parseReference,
  pickNamesake,
} from '../agents/reference.ts';
import { areLookAlikes } from '../agents/skeleton.ts';
import { Fault } from '../shared/fault.ts';
import { findGitRoot } from '../shared/git-root.ts';
import { quote } from '../shared/quote.ts';
import type { LedgerTransaction } from '../store/ledger.ts';
import { describeLetters } from './insert-agent.ts';

/** From where a name is read. Without a folder no project is near. */
export type Standpoint = Pick<Caller, 'agent' | 'folder'>;

/**
 * By name, by full name, by id, or `self`. Never by a guess: the closest name is only suggested,
 * and of several agents of one name none is chosen.
 */
export async function resolveAgent(
  tx: LedgerTransaction,
  reference: string,
  from?: Standpoint,
): Promise<Agent> {
  if (reference === 'self' && from) return from.agent;
  const byId = reference.startsWith('agt_') ? await tx.agents.find(reference) : undefined;
  if (byId?.removedAt !== undefined) {
    throw new Fault(
      'agent-not-found',
      `The agent "${callName(byId)}" (${byId.id}) has been removed.`,
      'See `signalbox ls` for those that live.',
    );
  }
  const agent = byId ?? (await findNamed(tx, reference, from));
  if (agent) return agent;
  throw await notFound(tx, reference);
}

/**
 * The living agent that a name means: of the caller's own session, else of its project, else the
 * only one. Undefined: there is none. The project is looked for only where it decides, so that no
 * `send` pays for it.
 */
export async function findNamed(
  tx: LedgerTransaction,
  reference: string,
  from?: Standpoint,
): Promise<Agent | undefined> {
  const { name, session } = parseReference(reference);
  const namesakes = await tx.agents.listByName(name);
  const own = from && !isUser(from.agent) ? from.agent.session : undefined;
  let found: Picked<Agent> = pickNamesake(namesakes, session, [own]);
  if (found.kind === 'several') {
    found = pickNamesake(namesakes, session, [await findProjectSession(tx, from?.folder)]);
  }
  if (found.kind === 'several') throw ambiguous(name, namesakes);
  return found.kind === 'one' ? found.agent : undefined;
}

/** The session of the project that this folder belongs to; undefined before its first agent. */
export async function findProjectSession(
  tx: LedgerTransaction,
  folder: string | undefined,
): Promise<string | undefined> {
  const root = folder === undefined ? undefined : findGitRoot(folder);
  return root === undefined ? undefined : tx.agents.findSession(root);
}

const mostNamed = 8;

function ambiguous(name: string, namesakes: readonly Agent[]): Fault {
  const named = namesakes.slice(0, mostNamed).map(fullName).join(', ');
  const more = namesakes.length > mostNamed ? `, and ${namesakes.length - mostNamed} more` : '';
  return new Fault(
    'name-ambiguous',
    `Several agents are named ${quote(name)}: ${named}${more}.`,
    'Write the full name of the one that you mean.',
  );
}

async function notFound(tx: LedgerTransaction, reference: string): Promise<Fault> {
  const { name, session } = parseReference(reference);
  const living = await tx.agents.list();
  const words = [...living.map((one) => one.name), 'self'];
  const meant = words.find((word) => areLookAlikes(word, name));
  if (meant !== undefined) return lookAlike(reference, meant);
  return new Fault(
    'agent-not-found',
    session === undefined
      ? `No agent named ${quote(reference)}.`
      : `No agent named ${quote(name)} in the session ${quote(session)}.`,
    suggest(living, { name, ...(session === undefined ? {} : { session }) }),
  );
}

/** A program without a terminal of ours can have an inbox, too. */
const noneYet =
  'There is none yet. Start one with `signalbox launch claude`, or give a program an inbox with `signalbox agents add <name>`.';

function suggest(living: readonly Agent[], { name, session }: AgentReference): string {
  const elsewhere = living.filter((agent) => agent.name === name).map(fullName);
  if (elsewhere.length > 0) return `There is ${elsewhere.slice(0, mostNamed).join(', ')}.`;
  const near = living.filter((agent) => session === undefined || agent.session === session);
  const closest = closestName(
    name,
    near.map((agent) => agent.name),
  );
  const found = near.find((agent) => agent.name === closest);
  if (found) return `Did you mean "${session === undefined ? callName(found) : fullName(found)}"?`;
  const others = living.filter((agent) => !isUser(agent)).slice(0, mostNamed);
  if (others.length === 0) return noneYet;
  return `There are: ${others.map((one) => (session === undefined ? callName(one) : fullName(one))).join(', ')}.`;
}

/** Never taken for the other one: whoever wrote it may have meant to deceive whoever reads it. */
function lookAlike(reference: string, meant: string): Fault {
  return new Fault(
    'agent-not-found',
    `No agent named ${quote(reference)}: it only looks like ${quote(meant)}, since ${describeLetters(reference, meant)}.`,
    `Write ${quote(meant)} if that is the one you mean.`,
  );
}

/** An agent may end what it started, and nothing else. */
export async function requireDescendant(
  tx: LedgerTransaction,
  caller: Agent,
  agent: Agent,
): Promise<void> {
  if (isUser(caller) || (await isBelow(tx, caller, agent))) return;
  throw new Fault(
    'not-allowed',
    `You are the agent "${callName(caller)}" and did not start "${nameFor(caller, agent)}".`,
    'Ask the user to do it.',
  );
}

/** It was started by that one, or by another below it. */
export async function isBelow(
  tx: LedgerTransaction,
  above: Pick<Agent, 'id'>,
  agent: Pick<Agent, 'parent'>,
): Promise<boolean> {
  for (let at = agent.parent; at !== undefined; at = (await tx.agents.find(at))?.parent) {
    if (at === above.id) return true;
  }
  return false;
}
