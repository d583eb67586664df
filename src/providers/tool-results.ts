import { pause, systemClock } from '../shared/clock.ts';

/**
 * Which of these lines stand in a tool's result, by what is on record of the latest ones. Each is
 * the last one of a message in one answer of ours and holds that answer's secret: other results,
 * and bodies, may name the message. Some clients cancel a call whose answer they have taken, and
 * the records follow that; they are read again until the signal ends.
 */
export async function awaitInResults(
  ends: readonly string[],
  signal: AbortSignal,
  readResults: () => Promise<readonly string[]>,
): Promise<readonly string[]> {
  for (;;) {
    const results = await readResults();
    const found = ends.filter((end) => results.some((text) => text.includes(end)));
    if (found.length === ends.length || signal.aborted) return found;
    await pause(systemClock, lookMs, signal);
  }
}

const lookMs = 50;
