import { timingSafeEqual } from 'node:crypto';
import type { Context } from 'hono';
import { type Agent, userAgentId } from '../agents/agent.ts';
import { type Caller, createCaller } from '../agents/caller.ts';
import { hashToken } from '../agents/token.ts';
import { requireSelf } from '../fleet/permissions.ts';
import { resolveAgent } from '../fleet/resolve-agent.ts';
import { headers } from '../protocol/daemon.ts';
import { Fault } from '../shared/fault.ts';
import type { LedgerTransaction } from '../store/ledger.ts';
import type { ServerParts } from './parts.ts';
import { readBearer } from './read-bearer.ts';
import type { Carried } from './read-bounded.ts';

/**
 * An agent says who it is, by its id or by the token of its present life; among agents of one user
 * that is a guard against mistakes, not a wall.
 */
export async function findCaller(
  { ledger }: Pick<ServerParts, 'ledger'>,
  c: Context,
): Promise<Caller> {
  const agent = await ledger.read((tx) => findAgentOf(tx, c));
  const isProven = c.req.header('authorization') !== undefined;
  const known = createCaller(agent, c.get(userShown) === true);
  const isOnPage = known.kind === 'user' && placeOf(c) !== undefined;
  const placed: Caller = isOnPage ? { ...known, place: 'dashboard' } : known;
  const caller: Caller = isProven ? { ...placed, isProven } : placed;
  const isHeard = c.req.header(headers.command) === 'heard';
  return isHeard ? { ...caller, isTaken: () => false } : caller;
}

const userShown = 'signalbox-user-shown';

/** Before anybody asks who it is: whether this request shows the user's token. */
export function noteUser(c: Context, token: string): void {
  const shown = Buffer.from(c.req.header(headers.user) ?? '');
  const wanted = Buffer.from(token);
  const isShown = shown.length === wanted.length && timingSafeEqual(shown, wanted);
  c.set(userShown, isShown || placeOf(c) !== undefined);
}

/** Whoever signed in to the page showed a link that only the user is given. */
function placeOf(c: Context): Carried['place'] {
  return (c.env as Partial<Carried> | undefined)?.place;
}

async function findAgentOf(tx: LedgerTransaction, c: Context): Promise<Agent> {
  const said = c.req.header(headers.agent);
  const shown = c.req.header('authorization');
  if (shown === undefined) return resolveAgent(tx, said ?? userAgentId);
  const life = await findShown(tx, c);
  // Of a stranger, or of a life that is over (rule 38).
  if (!life || life.endedAt !== undefined) throw unknownToken();
  const agent = await resolveAgent(tx, life.agent);
  if (said !== undefined) requireSelf(agent, (await resolveAgent(tx, said)).id, 'use the name');
  return agent;
}

/** The life whose token is shown, over or not; undefined: nobody's. */
export function findShown(tx: LedgerTransaction, c: Context) {
  return tx.epochs.findByTokenHash(hashToken(readBearer(c.req.header('authorization')) ?? ''));
}

export function unknownToken(): Fault {
  return new Fault(
    'unauthorised',
    'That token is of no agent that runs.',
    'Send `Authorization: Bearer …` with the SIGNALBOX_TOKEN of its environment, or none.',
  );
}

export function notAnAgent(): Fault {
  return new Fault(
    'unauthorised',
    'The tools of signalbox are for its agents, and nothing says which one is asking.',
    'Give the MCP server SIGNALBOX_TOKEN, SIGNALBOX_AGENT and SIGNALBOX_SOCKET of the agent’s environment; for a program that signalbox did not launch, SIGNALBOX_AGENT with a name from `signalbox agents add`.',
  );
}
