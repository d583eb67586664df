import type { Agent } from '../../agents/agent.ts';
import type { StatusView } from '../../agents/status.ts';
import type { Message } from '../../messages/message.ts';
import { isSettled } from '../../messages/transitions.ts';
import type { LedgerTransaction } from '../../store/ledger.ts';
import { isEnd } from '../epochs.ts';
import type { WorkerFacts } from './decide-end.ts';

/** What is seen of a running worker, beside the ledger. */
export interface SeenWorker extends Pick<StatusView, 'status' | 'composer'> {
  /**
   * Without a break, by the clock that nobody sets (rule 5). Of a worker that was found again it
   * counts from then: for how long it had rested before only wall time could tell.
   */
  readonly restsMs: number;
  /** Sub-agents work beside its conversation. */
  readonly isBeside: boolean;
  readonly watchers: number | undefined;
}

/** Undefined for an agent that does not end by itself. */
export async function readFacts(
  tx: LedgerTransaction,
  now: number,
  id: string,
  { seen, usualIdleStopMs }: { readonly seen: SeenWorker; readonly usualIdleStopMs: number },
): Promise<WorkerFacts | undefined> {
  const agent = await tx.agents.find(id);
  const { endsWith } = agent ?? {};
  const epoch = agent && (await tx.epochs.find(id, agent.epoch));
  if (!agent || !epoch || endsWith === undefined || agent.endedBy !== undefined) return undefined;
  const ended = await tx.debts.listEnded(id, epoch.startedAt);
  let unread = 0;
  for (const { endedBy } of ended) {
    const answer = endedBy === undefined ? undefined : await tx.messages.find(endedBy);
    if (answer && !(await isDelivered(tx, answer))) unread += 1;
  }
  const { queued, claimed, open, uncertain } = await tx.messages.outline(id, now);
  const { status, composer, restsMs, isBeside, watchers } = seen;
  return {
    ...{ endsWith, status, composer, watchers, unread, restsMs },
    idleStopMs: agent.role?.idleStopMs ?? usualIdleStopMs,
    isDone: ended.length > 0,
    owes: (await tx.debts.listOwedBy(id)).length,
    owed: (await tx.debts.listOwedTo(id)).length,
    mail: queued || claimed || open || uncertain,
    children: (await tx.agents.listChildren(id)).filter(isPresent).length,
    background: isBeside || (agent.background ?? 0) > 0,
  };
}

/** A program that only pulls may be at work as well: nobody sees what it does. */
function isPresent({ status, calledBy }: Agent): boolean {
  return status !== 'exited' || calledBy !== undefined;
}

/** Seen, acked, at an end of its own, or sent where no proof can come (rule 8). */
async function isDelivered(tx: LedgerTransaction, { id, state, token }: Message): Promise<boolean> {
  if (isSettled(state)) return true;
  if (state !== 'injected' || token === undefined) return false;
  const claim = await tx.claims.find(token);
  return claim !== undefined && (await isEnd(tx, id, claim));
}
