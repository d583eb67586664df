import { callName } from '../agents/reference.ts';
import { judgeAgent } from '../attention/cause.ts';
import type { WaitingAgent } from '../client/attach-visits.ts';
import type { Client } from '../client/client.ts';
import type { AgentView } from '../protocol/agents.ts';
import { Fault } from '../shared/fault.ts';

/** An agent in a terminal that waits for a person, with how texts name it. */
export interface Waiter extends WaitingAgent {
  readonly name: string;
}

/** By the rule of `signalbox attention`: oldest first. */
export async function listWaiters(
  client: Client,
  options?: { readonly startsNothing?: boolean },
): Promise<readonly Waiter[]> {
  const agents = await client.listAgents(undefined, options);
  return agents
    .filter(waits)
    .map((agent) => ({ id: agent.id, name: callName(agent), since: Date.parse(agent.since) }))
    .toSorted((a, b) => a.since - b.since);
}

function waits(agent: AgentView): boolean {
  const since = Date.parse(agent.since);
  return agent.backend !== 'none' && judgeAgent({ ...agent, since })?.kind === 'question';
}

export function nobodyWaits(): Fault {
  return new Fault(
    'agent-not-found',
    'No agent waits for you.',
    'Run `signalbox attention` to see what else needs you.',
  );
}

/** What a person reads when they are back; undefined when nobody waits. */
export function tellWaiters(waiters: readonly Waiter[]): string | undefined {
  if (waiters.length === 0) return undefined;
  const names = waiters.slice(0, mostNamed).map(({ name }) => name);
  const more = waiters.length - names.length;
  const who = [...names, ...(more > 0 ? [`${more} more`] : [])].join(', ');
  const what = waiters.length === 1 ? '1 agent waits' : `${waiters.length} agents wait`;
  return `${what} for you: ${who} → signalbox attach --next`;
}

/** More names than this would fill the screen. */
const mostNamed = 5;
