import { type Agent, isUser, signalbox } from '../../agents/agent.ts';
import { nameTo } from '../../delivery/name-to.ts';
import type { Debt } from '../../messages/debt.ts';
import { openStates } from '../../messages/transitions.ts';
import { Fault } from '../../shared/fault.ts';
import { createId } from '../../shared/ids.ts';
import type { LedgerTransaction } from '../../store/ledger.ts';
import { endTurnIn } from '../end-turn.ts';
import type { FleetParts } from '../parts.ts';
import { describeUnread } from '../unread-tasks.ts';

/**
 * A worker cannot be brought back, or its program has ended at its start. Nobody waits for ever:
 * those who gave it tasks are told as of an agent that has ended, and whoever only wrote to it by a
 * notice. What was sent stays in its inbox; where no new life has begun, the next word of its
 * parent or the user tries again.
 */
export async function giveUpCall(
  { ledger, surroundings }: Pick<FleetParts, 'ledger' | 'surroundings'>,
  id: string,
  why: unknown,
): Promise<void> {
  const said = why instanceof Fault ? `${why.message} ${why.next}` : String(why);
  await ledger.write(async (tx) => {
    const agent = await tx.agents.find(id);
    // Its removal has told of all that was sent to it.
    if (!agent || agent.removedAt !== undefined) return;
    const now = surroundings.clock.now();
    const debts = agent.calledBy === undefined ? await listTold(tx, agent) : undefined;
    // It runs, or somebody has stopped it.
    if (agent.calledBy === undefined && debts === undefined) return;
    await tx.agents.dropCall(id);
    const told = debts ?? (await endDebts(tx, now, agent, said));
    await tellWriters(tx, now, agent, { said, told });
  });
}

/**
 * The tasks of a life that has begun and ended by itself: its end has told of those. Undefined
 * where there is none.
 */
async function listTold(
  tx: LedgerTransaction,
  { id, epoch, status, endedBy }: Agent,
): Promise<readonly Debt[] | undefined> {
  const life = await tx.epochs.find(id, epoch);
  if (!life || status !== 'exited' || endedBy !== undefined) return undefined;
  return tx.debts.listEnded(id, life.startedAt);
}

async function endDebts(
  tx: LedgerTransaction,
  now: number,
  { id, epoch }: Agent,
  said: string,
): Promise<readonly Debt[]> {
  const debts = await tx.debts.listOwedBy(id);
  if (debts.length === 0) return debts;
  const unread = await describeUnread(tx, debts);
  const gone = `It had ended and could not be brought back: ${said}`;
  await endTurnIn(tx, now, {
    ...{ child: id, epoch, session: `epoch-${epoch}` },
    // Another call may fail after the same life.
    ...{ id: createId('call', now), stop: 1, outcome: 'exited' },
    text: [gone, ...(unread === undefined ? [] : [unread])].join(' '),
    ends: debts,
  });
  return debts;
}

/** Those whose word brings it back; all others know that it does not run. */
async function tellWriters(
  tx: LedgerTransaction,
  now: number,
  { id, parent, calledBy }: Agent,
  { said, told }: { readonly said: string; readonly told: readonly Debt[] },
): Promise<void> {
  const open = await tx.messages.list({ to: id, states: openStates, limit: 1000 });
  const writers = new Set(open.filter(({ kind }) => kind === 'message').map(({ from }) => from));
  for (const writer of writers) {
    const callsIt = isUser({ id: writer }) || writer === parent || writer === calledBy;
    const isTold = told.some(({ creditor }) => creditor === writer);
    if (!callsIt || isTold || !(await tx.agents.isLiving(writer))) continue;
    const name = await nameTo(tx, writer, id);
    await tx.messages.insert([
      {
        id: createId('msg', now),
        ...{ kind: 'notice', from: signalbox.id, to: writer, state: 'queued', createdAt: now },
        body: `${name} had ended and could not be brought back: ${said} What you sent it waits in its inbox.`,
        cause: 'a worker could not be brought back',
      },
    ]);
  }
}
