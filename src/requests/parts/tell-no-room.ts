import { type Agent, isUser } from '../../agents/agent.ts';
import { isAtWork } from '../../agents/ending.ts';
import { callName } from '../../agents/reference.ts';
import { howToStop } from '../../fleet/limits.ts';
import { reportBug } from '../../shared/report-bug.ts';
import type { Context } from '../context.ts';

/**
 * For whoever has just called a worker back, where as many children of its parent run as may: the
 * message waits until one of them has ended. Undefined where there is room, and for the user.
 */
export function tellNoRoom(context: Context, to: Pick<Agent, 'id'>): Promise<string | undefined> {
  // The message is committed: a failure now must not look like one that was not sent.
  return findNoRoom(context, to).catch((error) =>
    reportBug('looking for room for a worker', error),
  );
}

function findNoRoom(
  { ledger, breadth = Number.POSITIVE_INFINITY }: Context,
  { id }: Pick<Agent, 'id'>,
): Promise<string | undefined> {
  return ledger.read(async (tx) => {
    const worker = await tx.agents.find(id);
    const { calledBy } = worker ?? {};
    if (!worker || calledBy === undefined || isUser({ id: calledBy })) return undefined;
    const children = (await tx.agents.listChildren(calledBy)).filter(
      (child) => child.id !== id && isAtWork(child),
    );
    if (children.length < breadth) return undefined;
    return `"${callName(worker)}" had ended, and comes back once one of ${children.length} running children has ended: no more may run at once. One can be ended: ${howToStop(children.map((child) => callName(child)))}.`;
  });
}
