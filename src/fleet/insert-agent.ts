import type { Agent } from '../agents/agent.ts';
import { callName, parseReference } from '../agents/reference.ts';
import { areLookAlikes } from '../agents/skeleton.ts';
import { Fault } from '../shared/fault.ts';
import { quote } from '../shared/quote.ts';
import type { LedgerTransaction } from '../store/ledger.ts';

/**
 * Adds an agent under a name of its own: undefined when one that lives in its session has it
 * already. A name or a session that only looks like one that is in use anywhere is refused with a
 * word about which. Agents of older ledgers that look alike go on, each by its exact name.
 */
export async function insertAgent(tx: LedgerTransaction, agent: Agent): Promise<Agent | undefined> {
  const living = await tx.agents.list();
  const namesakes = living.filter(({ name }) => name === agent.name);
  if (namesakes.some(({ session }) => session === agent.session)) return undefined;
  const alike = living.find(({ name }) => areLookAlikes(name, agent.name));
  if (alike) throw new LookAlike('agent', agent.name, alike.name, callName(alike));
  const session = living.find((one) => areLookAlikes(one.session, agent.session))?.session;
  // One that exists is no new look-alike, whatever it looks like.
  const isKnown = living.some((one) => one.session === agent.session);
  if (session !== undefined && !isKnown) throw new LookAlike('session', agent.session, session);
  return tx.agents.insert(agent);
}

/** For names of our own making: the first of them that nobody has, and that looks like nobody's. */
export async function insertNumbered(
  tx: LedgerTransaction,
  draft: Omit<Agent, 'name'>,
  nameOf: (n: number) => string,
): Promise<Agent> {
  for (let n = 1; ; n++) {
    try {
      const added = await insertAgent(tx, { ...draft, name: nameOf(n) });
      if (added) return added;
    } catch (error) {
      // Another number helps only where it is the name that looks like another.
      if (!(error instanceof LookAlike) || error.what !== 'agent') throw error;
    }
  }
}

/** By its full name: what is printed to be pasted must mean the same wherever that is done. */
export function nameTaken(full: string, how: 'launched' | 'added'): Fault {
  const { session, name } = parseReference(full);
  const again = how === 'launched' ? ` start it again with \`signalbox restart ${full}\`,` : '';
  return new Fault(
    'name-taken',
    `There is already an agent named "${name}" in the session "${session}".`,
    `Choose another name,${again} or remove it with \`signalbox rm ${full}\`.`,
  );
}

class LookAlike extends Fault {
  readonly what: 'agent' | 'session';

  constructor(what: 'agent' | 'session', name: string, other: string, called = other) {
    super(
      'name-taken',
      `The name ${quote(name)} looks like that of the ${what} ${quote(called)} and is not the same: ${describeLetters(name, other)}.`,
      what === 'agent'
        ? `Choose another name, or write ${quote(other)} if that is the one you mean.`
        : `Choose another name for the session, or write ${quote(other)} if that is the one you mean.`,
    );
    this.what = what;
  }
}

/**
 * The letters in which a name differs from the one it looks like, by their numbers: `е is U+0435`.
 */
export function describeLetters(name: string, other: string): string {
  const foreign = [...new Set(name)].filter((letter) => !other.includes(letter) && letter > '\x7f');
  const [letters, whose] = foreign.length > 0 ? [foreign, ''] : [[...new Set(other)], ' there'];
  return letters
    .filter((letter) => letter > '\x7f')
    .slice(0, 4)
    .map(
      (letter) =>
        `${quote(letter)}${whose} is U+${letter.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}`,
    )
    .join(', ');
}
