import type { EpochEnd } from '../agents/epoch-store.ts';
import type { FleetParts } from './parts.ts';
import type { Roster } from './roster.ts';

const lookEveryMs = 50;
const blindMs = 1000;

/**
 * `up`: it is ready, or it asks a person something. `starting`: its process lives, and nothing can
 * be said of it yet.
 */
export type Start = 'up' | 'starting' | EpochEnd;

/**
 * Waits until a new life is beyond its start, or has ended. The caller must not hold the agent: an
 * end is written down by whoever reconciles, and that one leaves alone what is held.
 */
export async function awaitStart(
  parts: FleetParts,
  roster: Roster,
  life: { readonly agent: string; readonly epoch: number },
  { limitMs, signal }: { readonly limitMs: number; readonly signal: AbortSignal },
): Promise<Start> {
  const { clock } = parts.surroundings;
  const endsAt = clock.monotonicMs() + limitMs;
  let blindSince: number | undefined;
  // It may have ended while it was held; that was nobody's to note then.
  roster.get(life.agent)?.lookAgain();
  for (;;) {
    const running = roster.get(life.agent);
    if (running?.life.epoch.epoch !== life.epoch) {
      const end = await readEnd(parts, life);
      if (end) return end;
    } else if (running.live.status === 'unknown') {
      // Of a program without rules only its end can be known: it gets a moment for that.
      blindSince ??= clock.monotonicMs();
      if (clock.monotonicMs() - blindSince >= blindMs) return 'up';
    } else if (running.live.status !== 'starting') return 'up';
    if (signal.aborted || clock.monotonicMs() >= endsAt) return 'starting';
    await clock.sleep(lookEveryMs);
  }
}

async function readEnd(
  parts: FleetParts,
  life: { readonly agent: string; readonly epoch: number },
): Promise<EpochEnd | undefined> {
  const epoch = await parts.ledger.read((tx) => tx.epochs.find(life.agent, life.epoch));
  if (epoch?.endedAt === undefined) return undefined;
  const { endedAt: at, endCause: cause = 'exit', exitCode, exitSignal } = epoch;
  return {
    at,
    cause,
    ...(exitCode === undefined ? {} : { exitCode }),
    ...(exitSignal === undefined ? {} : { exitSignal }),
  };
}
