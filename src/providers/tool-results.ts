import { pause, systemClock } from '../shared/clock.ts';

/**
 * Which of these messages stand whole in a tool's result, by what is on record of the latest ones. Some clients cancel a call whose
 * answer they have taken, and the records follow that; they are read again until the signal ends.
 */
export async function awaitInResults(
  ids: readonly string[],
  signal: AbortSignal,
  readResults: () => Promise<readonly string[]>,
): Promise<readonly string[]> {
  for (;;) {
    const results = await readResults();
    // As the envelope ends it: other results name messages that they do not hold.
    const found = ids.filter((id) => results.some((text) => text.includes(`--- end of ${id}`)));
    if (found.length === ids.length || signal.aborted) return found;
    await pause(systemClock, lookMs, signal);
  }
}

const lookMs = 50;
