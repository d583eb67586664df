import { type Agent, isUser } from '../../agents/agent.ts';
import { isForDiskTrouble } from '../../shared/disk-trouble.ts';
import { Fault, type FaultCode } from '../../shared/fault.ts';
import { reportBug } from '../../shared/report-bug.ts';
import type { LedgerTransaction } from '../../store/ledger.ts';
import type { FleetParts } from '../parts.ts';
import { type RestartMeans, restart } from '../restart.ts';
import { giveUpCall } from './give-up-call.ts';

/** By id, those that are just being started, with the agent that called each. */
export type Coming = Map<string, string>;

/** By id, why the start of one that is to come back failed for now: it is tried again. */
export type Held = Map<string, string>;

/**
 * Starts the next life of a worker that was called back, with its conversation. That it comes back
 * is in the ledger before (`calledBy`), and stays there until the new life has its terminal:
 * whoever is killed in between begins again, and of two only one starts it. Resolves when nothing
 * of it is under way. Throws what passes: it is still called then, and the next look tries again.
 */
export async function bringBack(
  parts: FleetParts,
  means: RestartMeans & { readonly coming: Coming; readonly held: Held },
  id: string,
): Promise<void> {
  const { coming, held, signal } = means;
  if (signal.aborted) return;
  const calledBy = await takePlace(parts, coming, id);
  if (calledBy === undefined) return void held.delete(id);
  try {
    await restart(parts, means, id, {
      fresh: false,
      isCallBack: true,
      callerEnv: {},
      callerAgent: isUser({ id: calledBy }) ? undefined : calledBy,
    });
    held.delete(id);
  } catch (error) {
    // What passes is thrown on, and all else is reported.
    await settle(parts, means, id, error);
  } finally {
    coming.delete(id);
  }
}

/**
 * Who called it, where it may start now; then it is among those that come. Of two that are called
 * at once for one place only one has it: the ledger answers one question after the other.
 */
async function takePlace(
  parts: FleetParts,
  coming: Coming,
  id: string,
): Promise<string | undefined> {
  if (coming.has(id)) return undefined;
  let isOurs = false;
  try {
    return await parts.ledger.read(async (tx) => {
      const agent = await tx.agents.find(id);
      if (agent?.calledBy === undefined || agent.removedAt !== undefined) return undefined;
      const isFree = isOurs || !coming.has(id);
      if (!isFree || !(await hasRoom(parts, tx, agent, coming))) return undefined;
      // The ledger may ask all of this again.
      isOurs = true;
      coming.set(id, agent.calledBy);
      return agent.calledBy;
    });
  } catch (error) {
    if (isOurs) coming.delete(id);
    throw error;
  }
}

/** Of an agent's children only so many run at once; the user has no such limit. */
export async function hasRoom(
  { limits }: Pick<FleetParts, 'limits'>,
  tx: LedgerTransaction,
  { id, calledBy }: Pick<Agent, 'id' | 'calledBy'>,
  coming: Coming,
): Promise<boolean> {
  if (calledBy === undefined || isUser({ id: calledBy })) return true;
  const children = (await tx.agents.listChildren(calledBy)).filter(
    (child) =>
      child.id !== id &&
      child.backend !== 'none' &&
      (child.status !== 'exited' || coming.has(child.id)),
  );
  return children.length < limits.breadth;
}

/** These pass: it is tried again with the next look. */
const passing: ReadonlySet<FaultCode> = new Set([
  'backend-lost',
  'ledger-busy',
  'ledger-unwritable',
  'disk-trouble',
]);

async function settle(
  parts: FleetParts,
  { signal, held }: Pick<RestartMeans, 'signal'> & { readonly held: Held },
  id: string,
  error: unknown,
): Promise<void> {
  // The next daemon does it.
  if (signal.aborted) return;
  if (passes(error)) {
    held.set(id, error instanceof Error ? error.message : String(error));
    throw error;
  }
  held.delete(id);
  reportBug('bringing a worker back', error);
  parts.log.warn({ agent: id, error: String(error) }, 'a worker could not be brought back');
  await giveUpCall(parts, id, error);
}

/**
 * A full disk, or no file descriptor left, is no fault of the worker's, wherever its start met it.
 */
function passes(error: unknown): boolean {
  return (error instanceof Fault && passing.has(error.code)) || isForDiskTrouble(error);
}
