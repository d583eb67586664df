import { z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { type Agent, isUser, userAgentId } from '../agents/agent.ts';
import { hashToken } from '../fleet/launch.ts';
import { requireSelf } from '../fleet/permissions.ts';
import { requireDescendant, resolveAgent } from '../fleet/resolve-agent.ts';
import { headers } from '../protocol/daemon.ts';
import { faultSchema } from '../protocol/schemas/fault.ts';
import { Fault } from '../shared/fault.ts';
import type { LedgerTransaction } from '../store/ledger.ts';
import type { ServerParts } from './parts.ts';

/** What the routes have in common: how they are described, who asks, and whom they mean. */

export function json<Schema extends z.ZodType>(schema: Schema, description: string) {
  return { description, content: { 'application/json': { schema } } };
}

export const orFault = { default: json(faultSchema, 'What went wrong, and what to do next.') };

export const agentParam = z.object({
  agent: z.string().openapi({ param: { name: 'agent', in: 'path' }, description: 'Name or id.' }),
});

/**
 * An agent says who it is, by its id or by the token of its present life; among agents of one user
 * that is a guard against mistakes, not a wall.
 */
export async function findCaller(tx: LedgerTransaction, c: Context): Promise<Agent> {
  const said = c.req.header(headers.agent);
  const shown = c.req.header('authorization');
  if (shown === undefined) {
    const caller = await resolveAgent(tx, said ?? userAgentId);
    const isScript = isUser(caller) && c.req.header(headers.terminal) !== 'yes';
    return isScript ? { ...caller, isScript } : caller;
  }
  const life = await findShown(tx, c);
  // Of a stranger, or of a life that is over (rule 38).
  if (!life || life.endedAt !== undefined) throw unknownToken();
  const agent = await resolveAgent(tx, life.agent);
  if (said !== undefined) requireSelf(agent, (await resolveAgent(tx, said)).id, 'use the name');
  return agent;
}

/** The life whose token is shown, over or not; undefined: nobody's. */
export function findShown(tx: LedgerTransaction, c: Context) {
  const [, token = ''] = /^Bearer (\S+)$/.exec(c.req.header('authorization') ?? '') ?? [];
  return tx.epochs.findByTokenHash(hashToken(token));
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

/** The agent of the path, for whoever may look. */
export function findAgent(parts: ServerParts, c: Context, reference: string): Promise<Agent> {
  return parts.ledger.read(async (tx) => resolveAgent(tx, reference, await findCaller(tx, c)));
}

/** The agent of the path, for whoever may end it: the person, or an agent that it descends from. */
export function findOwnAgent(parts: ServerParts, c: Context, reference: string): Promise<Agent> {
  return parts.ledger.read(async (tx) => {
    const caller = await findCaller(tx, c);
    const agent = await resolveAgent(tx, reference, caller);
    await requireDescendant(tx, caller, agent);
    return agent;
  });
}
