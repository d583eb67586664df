import { signalbox } from '../../agents/agent.ts';
import { nameTo } from '../../delivery/name-to.ts';
import { Fault } from '../../shared/fault.ts';
import { createId } from '../../shared/ids.ts';
import type { LedgerTransaction } from '../../store/ledger.ts';
import { endTurnIn } from '../end-turn.ts';
import type { FleetParts } from '../parts.ts';
import { describeUnread } from '../unread-tasks.ts';

/**
 * A worker cannot be brought back. Nobody waits for ever: those who gave it tasks are told as of an
 * agent that has ended, and whoever only wrote to it by a notice. What was sent stays in its inbox,
 * and the next word of its parent or the user tries again.
 */
export async function giveUpCall(
  { ledger, surroundings }: Pick<FleetParts, 'ledger' | 'surroundings'>,
  id: string,
  why: unknown,
): Promise<void> {
  const said = why instanceof Fault ? `${why.message} ${why.next}` : String(why);
  await ledger.write(async (tx) => {
    const agent = await tx.agents.find(id);
    // A new life stands: what became of that is told by its own end.
    if (agent?.calledBy === undefined) return;
    const now = surroundings.clock.now();
    await tx.agents.dropCall(id);
    const debts = await tx.debts.listOwedBy(id);
    if (debts.length === 0) return tellCaller(tx, now, { id, caller: agent.calledBy, said });
    const unread = await describeUnread(tx, debts);
    const gone = `It had ended and could not be brought back: ${said}`;
    await endTurnIn(tx, now, {
      ...{ child: id, epoch: agent.epoch, session: `epoch-${agent.epoch}` },
      // Another call may fail after the same life.
      ...{ id: createId('call', now), stop: 1, outcome: 'exited' },
      text: [gone, ...(unread === undefined ? [] : [unread])].join(' '),
      ends: debts,
    });
  });
}

async function tellCaller(
  tx: LedgerTransaction,
  now: number,
  { id, caller, said }: { readonly id: string; readonly caller: string; readonly said: string },
): Promise<void> {
  const name = await nameTo(tx, caller, id);
  await tx.messages.insert([
    {
      id: createId('msg', now),
      ...{ kind: 'notice', from: signalbox.id, to: caller, state: 'queued', createdAt: now },
      body: `${name} had ended and could not be brought back: ${said} What you sent it waits in its inbox.`,
      cause: 'a worker could not be brought back',
    },
  ]);
}
