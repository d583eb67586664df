import { rm } from 'node:fs/promises';
import type { Agent } from '../agents/agent.ts';
import { comesBack } from '../agents/ending.ts';
import type { Epoch } from '../agents/epoch.ts';
import type { EpochEnd } from '../agents/epoch-store.ts';
import { listBegunDebts } from '../delivery/settle-debt.ts';
import type { Debt } from '../messages/debt.ts';
import { reportBug } from '../shared/report-bug.ts';
import type { LedgerTransaction } from '../store/ledger.ts';
import { endTurnIn } from './end-turn.ts';
import { endEpoch } from './epochs.ts';
import type { FleetParts } from './parts.ts';
import { runFolder } from './run-folder.ts';
import { describeUnread } from './unread-tasks.ts';

/**
 * Writes down that a life ended: the epoch with its exit, the agent's status, and what was on its
 * way into that life (rule 4), in one transaction. Then it is announced, once, and what belonged to
 * that life alone is removed (E10).
 */
export async function endLife(
  parts: FleetParts,
  agent: Agent,
  epoch: Epoch,
  end: EpochEnd,
): Promise<boolean> {
  if (!(await parts.ledger.write((tx) => endLifeIn(tx, epoch, end)))) return false;
  const { at: _, ...exit } = end;
  const detail = describeEnd(end);
  parts.announce.status(agent, {
    ...{ status: 'exited', detail, source: 'process', since: end.at },
    composer: 'unknown',
  });
  parts.announce.exited(agent, exit);
  await rm(runFolder(parts, epoch), { recursive: true, force: true }).catch((error: unknown) => {
    reportBug('removing a run folder', error);
    parts.log.warn({ agent: agent.id, error: String(error) }, 'a run folder could not be removed');
  });
  return true;
}

/** The transaction of it. False when it had been written down before. */
export async function endLifeIn(
  tx: LedgerTransaction,
  { agent, epoch }: Pick<Epoch, 'agent' | 'epoch'>,
  end: EpochEnd,
): Promise<boolean> {
  if (!(await tx.epochs.end(agent, epoch, end))) return false;
  await endEpoch(tx, end.at, agent);
  const current = await tx.agents.find(agent);
  if (current?.epoch === epoch) {
    await reportCutTurn(tx, current, end);
    await tx.agents.setStatus(agent, {
      status: 'exited',
      detail: describeEnd(end),
      source: 'process',
      since: end.at,
    });
  }
  return true;
}

/**
 * Gone in mid-turn, in a dialog, or owing an answer: its parent is told like of any turn's end
 * (rule 27, O15).
 */
async function reportCutTurn(tx: LedgerTransaction, agent: Agent, end: EpochEnd): Promise<void> {
  const isCut = agent.status === 'processing' || agent.status === 'waiting';
  const debts = await listEnded(tx, agent, end);
  if (!isCut && debts.length === 0) return;
  const when = isCut ? 'in the middle of a turn' : 'before it had answered';
  const unread = end.cause === 'removed' ? undefined : await describeUnread(tx, debts);
  const gone = `Its process ended ${when}: ${describeEnd(end)}.`;
  await endTurnIn(tx, end.at, {
    child: agent.id,
    epoch: agent.epoch,
    session: `epoch-${agent.epoch}`,
    id: 'exit',
    stop: 1,
    outcome: 'exited',
    text:
      end.cause === 'removed'
        ? `It was removed ${when}.`
        : [gone, ...(unread === undefined ? [] : [unread])].join(' '),
    ends: debts,
    endsAs: end.cause === 'removed' ? 'removed' : 'exited',
  });
}

/**
 * A restart goes on in the same conversation and can still answer, and so does the next life of a
 * worker that was called back while it ended, or while its start failed; what a removal has yet to
 * bounce is told by that.
 */
function listEnded(
  tx: LedgerTransaction,
  agent: Agent,
  { cause }: EpochEnd,
): Promise<readonly Debt[]> {
  const { id, calledBy } = agent;
  const isCalled = calledBy !== undefined && comesBack(agent) && cause !== 'removed';
  if (cause === 'restarted' || isCalled) return Promise.resolve([]);
  return cause === 'removed' ? listBegunDebts(tx, id) : tx.debts.listOwedBy(id);
}

/** For people: `exit 3`, `SIGKILL`, `stopped`, `terminal gone`. */
export function describeEnd({ cause, exitCode, exitSignal }: EpochEnd): string {
  if (cause !== 'exit') return cause.replaceAll('-', ' ');
  if (exitSignal !== undefined) return exitSignal;
  return exitCode === undefined ? 'exit' : `exit ${exitCode}`;
}
