import type { DirectClient } from '../client/client.ts';
import { systemClock } from '../shared/clock.ts';
import type { Crew } from './crew.ts';

/** What may pass beyond the wanted time: for the windows that are not shown yet, and for the inboxes to run empty. */
const patienceMs = 30_000;
/** About so many random kills, whatever the length, within reason. */
const wantedKills = 14;
const killEveryMs = { least: 120, most: 1500 } as const;

/** Kills somebody now and then until the time is up and every crash window has been shown. */
export async function harass(crew: Crew, seconds: number, stop: AbortSignal): Promise<void> {
  await waitFor(() => crew.isComplete, patienceMs, stop);
  const { least, most } = killEveryMs;
  const everyMs = Math.min(most, Math.max(least, (seconds * 1000) / wantedKills));
  const startedAtMs = systemClock.monotonicMs();
  let last: string | undefined;
  for (;;) {
    await systemClock.sleep(everyMs * (0.5 + Math.random()), stop);
    const passedMs = systemClock.monotonicMs() - startedAtMs - seconds * 1000;
    if (passedMs >= (crew.hasShownAllWindows ? 0 : patienceMs)) return;
    last = crew.killOne(last) ?? last;
  }
}

/**
 * An agent sends only while it holds a message, except the lead, and that one rests: when all of them rest and no inbox
 * holds anything, nothing can come any more. The ledger is asked when to stop, never what arrived.
 */
export async function waitUntilQuiet(
  crew: Crew,
  client: DirectClient,
  stop: AbortSignal,
): Promise<void> {
  const isQuiet = async (): Promise<boolean> => {
    if (!crew.isResting) return false;
    const agents = await client.listAgents('demo');
    return agents.every(({ inbox: { queued, claimed, injected, uncertain } }) => {
      return queued + claimed + injected + uncertain === 0;
    });
  };
  await waitFor(isQuiet, patienceMs, stop);
}

/** Until it is so, or the time is over. */
async function waitFor(
  isSo: () => boolean | Promise<boolean>,
  limitMs: number,
  stop: AbortSignal,
): Promise<void> {
  const untilMs = systemClock.monotonicMs() + limitMs;
  while (!(await isSo()) && systemClock.monotonicMs() < untilMs) await systemClock.sleep(25, stop);
}
