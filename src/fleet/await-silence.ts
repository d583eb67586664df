import { type Clock, pause } from '../shared/clock.ts';

/**
 * Another source may report a turn's end only after so long a silence of the authority for it
 * (rule 26).
 */
const silenceMs = 2000;
/**
 * On a busy machine a daemon that had just started took 4 s to learn from Codex 0.166.0 what had
 * ended before.
 */
const mostBehindMs = 20_000;

/**
 * Until the authority for turn ends has been silent for long enough to speak for it; false when the
 * signal came first. One that looks up what ended before is not silent; but one that is lost for
 * good is not waited for.
 */
export async function awaitSilence(
  clock: Clock,
  isBehind: () => boolean,
  signal: AbortSignal,
): Promise<boolean> {
  const sinceMs = clock.monotonicMs();
  while (await pause(clock, silenceMs, signal)) {
    if (!isBehind() || clock.monotonicMs() - sinceMs >= mostBehindMs) return true;
  }
  return false;
}
