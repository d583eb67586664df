import type { LedgerTransaction } from '../store/ledger.ts';
import { endTurnIn } from './end-turn.ts';
import type { FleetParts } from './parts.ts';
import { describeUnread } from './unread-tasks.ts';

/**
 * A restart ends the old life and keeps its debts, because the next life can answer them. When no
 * next life follows (we were killed between the two, or the start failed) nobody will answer:
 * whoever gave the tasks is told (rules 27, 31). The caller holds the agent.
 */
export async function endStranded(parts: FleetParts, id: string): Promise<void> {
  await parts.ledger.write(async (tx) => {
    if (!(await isStranded(tx, id))) return;
    const { epoch = 0, detail = 'exit' } = (await tx.agents.find(id)) ?? {};
    const debts = await tx.debts.listOwedBy(id);
    const gone = `Its process ended before it had answered: ${detail}.`;
    const unread = await describeUnread(tx, debts);
    await endTurnIn(tx, parts.surroundings.clock.now(), {
      ...{ child: id, epoch, session: `epoch-${epoch}`, stop: 1, outcome: 'exited' },
      // One that was called back may be stranded again behind the same life.
      id: `gone-${debts[0]?.task}`,
      text: [gone, ...(unread === undefined ? [] : [unread])].join(' '),
      ends: debts,
    });
  });
}

/** Those who owe an answer and have no process that could give it. */
export async function listStranded(tx: LedgerTransaction): Promise<readonly string[]> {
  const debtors = new Set((await tx.debts.listOpen()).map(({ debtor }) => debtor));
  const stranded: string[] = [];
  for (const id of debtors) if (await isStranded(tx, id)) stranded.push(id);
  return stranded;
}

async function isStranded(tx: LedgerTransaction, id: string): Promise<boolean> {
  const agent = await tx.agents.find(id);
  if (!agent || agent.removedAt !== undefined || agent.status !== 'exited') return false;
  // Its next life is due and answers them (`workers/bring-back.ts`).
  if (agent.calledBy !== undefined) return false;
  const life = await tx.epochs.find(id, agent.epoch);
  return life?.endedAt !== undefined && (await tx.debts.listOwedBy(id)).length > 0;
}
