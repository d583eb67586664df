import { pause } from '../shared/clock.ts';
import { Fault } from '../shared/fault.ts';
import { joinSignals } from '../shared/join-signals.ts';
import type { ServerParts } from './parts.ts';

/**
 * One poll. The client asks again as long as its parent lives, so that it notices when that is
 * gone.
 */
const pollMs = 50_000;

/**
 * The poll of a hook that waits. `nothing`: ask again. A dismissal counts only while somebody is
 * there to hear it; an end of the daemon is no reason for one, so it is a fault: the client comes
 * again (rule 23).
 */
export async function pollOnce<T>(
  { clock, ending }: Pick<ServerParts, 'clock' | 'ending'>,
  gone: AbortSignal,
  wait: (signal: AbortSignal) => Promise<T | 'dismissed' | 'nothing'>,
): Promise<T | 'dismissed' | 'nothing'> {
  const poll = new AbortController();
  const over = new AbortController();
  const { signal, leave } = joinSignals([gone, ending, poll.signal]);
  void pause(clock, pollMs, over.signal).then((isOver) => isOver && poll.abort());
  try {
    const outcome = await wait(signal);
    if (!signal.aborted) return outcome;
    if (outcome !== 'dismissed' && outcome !== 'nothing') return outcome;
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    over.abort();
    leave();
  }
  if (ending.aborted) throw notSeen();
  return 'nothing';
}

export function notSeen(): Fault {
  return new Fault(
    'daemon-unavailable',
    'The daemon does not see that agent now.',
    'Ask again in a moment.',
  );
}
