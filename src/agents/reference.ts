import { type Agent, isUser } from './agent.ts';

/** How people and models name an agent: `lead`, or `shop/lead` with its session. */
export interface AgentReference {
  readonly name: string;
  readonly session?: string;
}

export function parseReference(text: string): AgentReference {
  const whole = text.normalize('NFC');
  const at = whole.indexOf('/');
  return at < 0 ? { name: whole } : { session: whole.slice(0, at), name: whole.slice(at + 1) };
}

/** A name of its own is looked for in this session alone; what says more is left as it is. */
export function referWithin(session: string | undefined, reference: string): string {
  const isBare = !reference.includes('/') && !reference.startsWith('agt_') && reference !== 'self';
  return session !== undefined && isBare ? `${session}/${reference}` : reference;
}

type Named = Pick<Agent, 'id' | 'name' | 'session'>;

/** By which anybody finds it, wherever they stand. There is only one user. */
export function fullName(agent: Named): string {
  return isUser(agent) ? agent.name : `${agent.session}/${agent.name}`;
}

/** As rows and documents name an agent. */
export interface Nameable {
  readonly name: string;
  readonly session?: string | undefined;
  readonly namesakes?: true | undefined;
}

/**
 * How a text names an agent, so that its reader can paste the name back and means this one: by its
 * name alone where no other living agent has that, else by its full name. Every sentence and every
 * command line that we print asks this, or `nameFor` where the reader is known. `here` is a session
 * whose agents the reader means by their names alone: its own, or that of its project. Command
 * lines leave it out, because `stop`, `restart` and `rm` do not go by the project.
 */
export function callName({ name, session, namesakes }: Nameable, here?: string): string {
  if (here !== undefined && session === here) return name;
  // There is only one user, so it has none.
  return namesakes && session !== undefined ? `${session}/${name}` : name;
}

/**
 * The same for a reader who is known. To an agent a name alone means the one of its own session,
 * and those of others are written in full.
 */
export function nameFor(
  reader: Pick<Agent, 'id' | 'session'> | undefined,
  agent: Nameable & Pick<Agent, 'id'>,
): string {
  if (!reader || isUser(reader)) return callName(agent);
  const { id, name, session } = agent;
  if (session === undefined || session === reader.session) return name;
  return fullName({ id, name, session });
}

/** Who is meant by a name. */
export type Picked<A> =
  | { readonly kind: 'one'; readonly agent: A }
  | { readonly kind: 'none' }
  | { readonly kind: 'several' };

/**
 * Which of the living agents of one name is meant: the one of the session that is named with it;
 * else the one of a session that is near, the nearest first; else the only one there is. Of several
 * none is ever chosen.
 */
export function pickNamesake<A extends Pick<Agent, 'session'>>(
  namesakes: readonly A[],
  session: string | undefined,
  near: readonly (string | undefined)[],
): Picked<A> {
  const inSession = (wanted: string): A | undefined =>
    namesakes.find((agent) => agent.session === wanted);
  if (session !== undefined) return picked(inSession(session));
  for (const one of near) {
    const agent = one === undefined ? undefined : inSession(one);
    if (agent) return picked(agent);
  }
  return namesakes.length > 1 ? { kind: 'several' } : picked(namesakes[0]);
}

function picked<A>(agent: A | undefined): Picked<A> {
  return agent ? { kind: 'one', agent } : { kind: 'none' };
}
