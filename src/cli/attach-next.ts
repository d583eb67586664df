import { callName } from '../agents/reference.ts';
import { judgeAgent } from '../attention/cause.ts';
import { orderNext, type Visits, type WaitingAgent } from '../client/attach-visits.ts';
import type { Client } from '../client/client.ts';
import type { AgentView } from '../protocol/agents.ts';
import type { AttachView } from '../protocol/terminals.ts';
import { Fault, type FaultCode } from '../shared/fault.ts';

/** An agent in a terminal that waits for a person, with how texts name it. */
export interface Waiter extends WaitingAgent {
  readonly name: string;
}

/** By the rule of `signalbox attention`: oldest first. */
export async function listWaiters(
  client: Pick<Client, 'listAgents'>,
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

/**
 * The way to the next one. Whose terminal nobody can get to is passed over, and told: it would be
 * the next one again and again, and hold up all others.
 */
export async function findNext(
  client: Pick<Client, 'listAgents' | 'attachCommand'>,
  visits: Visits,
  tell: (line: string) => void,
): Promise<AttachView> {
  let first: Fault | undefined;
  for (const { id, name } of orderNext(await listWaiters(client), visits)) {
    try {
      return await client.attachCommand(id);
    } catch (error) {
      if (!(error instanceof Fault) || !ofOne.has(error.code)) throw error;
      first ??= error;
      tell(passedOver(name, error));
    }
  }
  throw first ?? nobodyWaits();
}

function passedOver(name: string, { message, next }: Fault): string {
  return `signalbox: ${name} is passed over: ${message} ${next}`;
}

/** Of one agent's terminal: others may be reached. */
const ofOne: ReadonlySet<FaultCode> = new Set([
  ...(['agent-not-found', 'agent-exited', 'terminal-gone', 'wrong-state'] as const),
  ...(['backend-lost', 'backend-missing', 'backend-too-old', 'backend-mismatch'] as const),
]);

function nobodyWaits(): Fault {
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
