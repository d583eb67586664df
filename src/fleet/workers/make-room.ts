import type { Agent } from '../../agents/agent.ts';
import { isAtWork } from '../../agents/ending.ts';
import { reportBug } from '../../shared/report-bug.ts';
import type { WantedLaunch } from '../fleet.ts';
import type { FleetParts } from '../parts.ts';
import type { Roster } from '../roster.ts';
import { endWorker, judgeWorker } from './end-worker.ts';

/** A worker that is just done rests for a second before it is stopped, and takes some to end. */
const mostMs = 8000;
const lookEveryMs = 100;

/**
 * An agent that hands off one task after another must not be refused because the workers before
 * have not ended yet: where it has as many children as it may, those that are done end first.
 */
export async function makeRoom(
  parts: FleetParts,
  roster: Roster,
  { callerAgent, parent }: Pick<WantedLaunch, 'callerAgent' | 'parent'>,
): Promise<void> {
  const above = callerAgent === undefined ? undefined : (parent ?? callerAgent);
  if (above === undefined) return;
  const { clock } = parts.surroundings;
  const endsAtMs = clock.monotonicMs() + mostMs;
  while (clock.monotonicMs() < endsAtMs) {
    const children = await parts.ledger.read(async (tx) =>
      (await tx.agents.listChildren(above)).filter(isAtWork),
    );
    if (children.length < parts.limits.breadth) return;
    const ending = await Promise.all(
      children.map(async ({ id, endedBy }) => {
        const ends = () => soonEnds(parts, roster, id);
        return endedBy !== undefined || (await tryToEnd(ends));
      }),
    );
    if (!ending.includes(true) && !(await endOne(parts, roster, children))) return;
    await clock.sleep(lookEveryMs);
  }
}

/**
 * Of those that are done and rest only because nobody can tell whether a person looks on, the one
 * that has rested longest.
 */
async function endOne(
  parts: FleetParts,
  roster: Roster,
  children: readonly Agent[],
): Promise<boolean> {
  const restsMs = ({ id }: Agent): number => roster.get(id)?.seenAsWorker.restsMs ?? 0;
  for (const { id } of children.toSorted((a, b) => restsMs(b) - restsMs(a))) {
    if (await tryToEnd(() => endWorker(parts, roster, id, { isPlaceWanted: true }))) return true;
  }
  return false;
}

/** A child whose end fails is no reason to refuse a launch: another one may make the room. */
async function tryToEnd(end: () => Promise<boolean>): Promise<boolean> {
  try {
    return await end();
  } catch (error) {
    reportBug('making room for a child', error);
    return false;
  }
}

/** Ends it if it can be ended now. */
async function soonEnds(parts: FleetParts, roster: Roster, id: string): Promise<boolean> {
  const running = roster.get(id);
  const found = running && (await parts.ledger.read((tx) => judgeWorker(parts, tx, running)));
  if (found?.decision !== 'stop') return found?.code === 'settling';
  return endWorker(parts, roster, id);
}
