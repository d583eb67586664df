import type { EndsWith } from '../../agents/ending.ts';
import { reachFailPoint } from '../../shared/fail-point.ts';
import { reportBug } from '../../shared/report-bug.ts';
import type { LedgerTransaction } from '../../store/ledger.ts';
import type { FleetParts } from '../parts.ts';
import type { Roster } from '../roster.ts';
import type { RunningAgent } from '../running-agent.ts';
import { type StopCause, stopLife } from '../stop.ts';
import { decideEnd, type EndDecision, type WorkerFacts } from './decide-end.ts';
import { readFacts } from './read-facts.ts';

/** Whether a running worker would be stopped now; undefined for one that does not end by itself. */
export async function judgeWorker(
  { surroundings, limits }: Pick<FleetParts, 'surroundings' | 'limits'>,
  tx: LedgerTransaction,
  running: Pick<RunningAgent, 'id' | 'seenAsWorker'>,
  need: Need = {},
): Promise<EndDecision | undefined> {
  const { id, seenAsWorker: seen } = running;
  const usualIdleStopMs = limits.idleStopMs;
  const facts = await readFacts(tx, surroundings.clock.now(), id, { seen, usualIdleStopMs });
  return facts && decideEnd({ ...facts, ...need });
}

type Need = Pick<WorkerFacts, 'isPlaceWanted'>;

/**
 * Stops a worker that has nothing left to do. Nothing is put into it any more before the last
 * look: a message that is committed before the mark keeps it, and one that is committed after it
 * waits in the ledger, and brings it back where its sender may (`delivery/accept.ts`). Killed after
 * the mark we find it again: `reconcile` ends what had begun to end, and takes the mark from a
 * worker that had not. Returns whether it was stopped.
 */
export async function endWorker(
  parts: FleetParts,
  roster: Roster,
  id: string,
  need?: Need,
): Promise<boolean> {
  const seen = roster.get(id);
  if (!seen) return false;
  // It is asked about often, and others must be able to hold it.
  const now = await parts.ledger.read((tx) => judgeWorker(parts, tx, seen, need));
  if (now?.decision !== 'stop') return false;
  return roster.hold(id, async () => {
    const running = roster.get(id);
    if (!running) return false;
    // A person may have come since the screen was looked at.
    await running.people.look(running.life);
    try {
      await running.stopCarrying();
      const by = await mark(parts, running, need);
      if (by === undefined) return false;
      await reachFailPoint('worker.marked');
      await stop(parts, roster, running, by);
      return true;
    } finally {
      // Whatever came of it: one that is still watched gets its messages.
      if (roster.get(id) === running) running.carryAgain();
    }
  });
}

async function stop(
  parts: FleetParts,
  roster: Roster,
  running: RunningAgent,
  by: EndsWith,
): Promise<void> {
  const { id } = running;
  try {
    await stopLife(parts, roster, await roster.find(id), causes[by]);
  } catch (error) {
    // Of one that was half ended the next reconciliation ends the rest.
    if (roster.get(id) !== running) throw error;
    // Nothing has ended: its end could not be noted. Nor can this, perhaps; then the next
    // reconciliation takes the mark back.
    await parts.ledger
      .write((tx) => tx.agents.setEnded(id, undefined))
      .catch((left: unknown) => reportBug('taking the mark from a worker', left));
    throw error;
  }
}

const causes: Readonly<Record<EndsWith, StopCause>> = { task: 'task-done', rest: 'rested' };

/** All that decides it is read again where the mark is written. */
function mark(
  parts: FleetParts,
  running: RunningAgent,
  need: Need | undefined,
): Promise<EndsWith | undefined> {
  return parts.ledger.write(async (tx) => {
    const last = await judgeWorker(parts, tx, running, need);
    if (last?.decision !== 'stop') return undefined;
    await tx.agents.setEnded(running.id, last.by);
    return last.by;
  });
}
