import type { Decided, Decision } from '../../providers/questions.ts';
import type { HookReply } from '../../providers/way-in.ts';
import { type Clock, pause } from '../../shared/clock.ts';
import { reportBug } from '../../shared/report-bug.ts';

/** A hook whose connection ended comes again within this time (`hook-client.sh`). */
export const returnMs = 7000;
/** How often a decision on its way is looked after. */
const lookMs = 100;

/**
 * One decision on its way to a hook: it waits for the hook's next poll, is handed over, and is
 * confirmed by the hook, which then prints it. Each step takes a limited time, and what it has come
 * to by then is known: nothing is printed before it was confirmed.
 */
export interface Trial {
  readonly decision: Decision;
  readonly reply: HookReply;
  readonly id: string;
  readonly find: ((decision: Decision) => Promise<'taken' | 'gone' | undefined>) | undefined;
  step: 'waits' | 'handed' | 'confirmed';
  readonly over: AbortController;
  readonly done: (decided: Decided) => void;
}

/**
 * How long each step of a decision may take, and what it has come to then. A client confirms within
 * milliseconds (rule 16); what the CLI makes of it shows within a second.
 */
const limits: Readonly<Record<Trial['step'], { readonly ms: number; readonly decided: Decided }>> =
  {
    waits: { ms: returnMs, decided: refused('the hook of its CLI did not come back') },
    handed: { ms: 1500, decided: refused('the hook of its CLI did not take it') },
    confirmed: { ms: 5000, decided: unknown('its CLI has shown nothing of it since') },
  };

export function refused(reason: string): Decided {
  return { outcome: 'refused', reason };
}

export const notTaken = limits.handed.decided;

/** Resolves when it is over; with what the CLI's records show, where they do. */
export async function followTrial(
  clock: Clock,
  trial: Trial,
  signal: AbortSignal,
): Promise<'taken' | 'gone' | undefined> {
  const give = (): void => {
    if (trial.step === 'waits') trial.done(refused('nobody waits for it'));
  };
  signal.addEventListener('abort', give, { once: true, signal: trial.over.signal });
  let { step } = trial;
  let sinceMs = clock.monotonicMs();
  while (await pause(clock, lookMs, trial.over.signal)) {
    if (trial.step !== step) {
      step = trial.step;
      sinceMs = clock.monotonicMs();
    }
    const outcome = step === 'confirmed' ? await readOutcome(trial) : undefined;
    if (trial.over.signal.aborted) return undefined;
    if (outcome) return outcome;
    if (clock.monotonicMs() - sinceMs >= limits[step].ms) trial.done(limits[step].decided);
  }
  return undefined;
}

async function readOutcome(trial: Trial): Promise<'taken' | 'gone' | undefined> {
  try {
    const { find: look, decision } = trial;
    return look === undefined ? undefined : await look(decision);
  } catch (error) {
    // It proves nothing, and is read again.
    reportBug('reading what a CLI has on record of a decision', error);
    return undefined;
  }
}

export function unknown(reason: string): Decided {
  return { outcome: 'unknown', reason };
}
