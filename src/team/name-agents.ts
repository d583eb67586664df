import { isUser } from '../agents/agent.ts';
import { callName } from '../agents/reference.ts';
import { Fault } from '../shared/fault.ts';
import type { TeamParts } from './parts.ts';

/** More would not be read. */
const most = 10;

/**
 * Whoever gives a task may mean an agent that runs: where nothing of that name can be launched,
 * those are named as well.
 */
export async function nameAgents<T>(
  { ledger }: Pick<TeamParts, 'ledger'>,
  findTarget: () => Promise<T>,
): Promise<T> {
  try {
    return await findTarget();
  } catch (error) {
    if (!(error instanceof Fault) || error.code !== 'provider-not-found') throw error;
    const living = (await ledger.read((tx) => tx.agents.list())).filter((one) => !isUser(one));
    const names = living.slice(0, most).map((one) => callName(one));
    const more = living.length > most ? `, and ${living.length - most} more` : '';
    const agents =
      names.length === 0 ? 'There are no agents.' : `Agents are ${names.join(', ')}${more}.`;
    const message = error.message.replace(
      /^There is no provider/,
      'There is no agent, no provider',
    );
    throw new Fault(error.code, message, `${agents} ${error.next}`, { cause: error });
  }
}
