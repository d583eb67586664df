import type { LiveContext } from '../../providers/way-in.ts';
import { readParent } from '../../shared/process-tree.ts';
import { readStartTime } from '../../shared/processes.ts';
import type { Life } from '../life.ts';
import type { FleetParts } from '../parts.ts';
import type { People } from '../people.ts';
import type { Troubles } from '../troubles.ts';
import { Questions } from './questions.ts';

/** The questions of one life; `changed` is told of each that comes or goes. */
export function openQuestions(
  { surroundings }: Pick<FleetParts, 'surroundings'>,
  life: Life,
  troubles: Troubles,
  live: LiveContext & { readonly people: People },
): Questions {
  const { provider, epoch, given } = life;
  const { agent, epoch: number } = epoch;
  return new Questions({
    ...{ clock: surroundings.clock, startOf: readStartTime, parentOf },
    ...{ changed: () => live.changed(), asker: { agent, epoch: number } },
    isFoundAgain: given === undefined,
    watchers: () => countWatchers(life, troubles, live.people),
    channel: troubles.attempt('its questions', () => provider.openQuestions?.(live)),
    track:
      provider.trackDecision && (async (hook) => provider.trackDecision?.(hook, live.current())),
    read: provider.readQuestion && ((hook) => provider.readQuestion?.(hook)),
  });
}

/** Elsewhere each look would list all processes; there the hook itself finds out. */
function parentOf(pid: number): number {
  return process.platform === 'linux' ? readParent(pid) : 0;
}

async function countWatchers(
  life: Life,
  troubles: Troubles,
  people: People,
): Promise<number | undefined> {
  try {
    await people.look(life);
    return people.watchers;
  } catch (error) {
    // Nobody can tell then.
    troubles.take('look', error);
    return undefined;
  }
}
