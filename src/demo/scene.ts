import { systemClock } from '../shared/clock.ts';
import type { Happening } from './moment.ts';
import type { Observer } from './observer.ts';
import type { Stage } from './stage.ts';
import type { TeamWatch } from './team-watch.ts';

/** Longer than anything takes on a machine with ten times more to do than it can. */
const patienceMs = 45_000;
const lookEveryMs = 20;

/** Everything that an act of the demo plays with. */
export interface Scene {
  readonly stage: Stage;
  readonly watch: TeamWatch;
  readonly observer: Observer;
  readonly stop: AbortSignal;
  /** The pace of the run. */
  readonly beatMs: number;
  show(happening: Happening): void;
}

/** `never`: it has become certain that it cannot be so any more. */
export type Verdict = boolean | { readonly never: string };

/** Something that a sound product brings about did not come about. It ends an act, not the demo. */
export class InVain extends Error {}

/** Looks until it is so. */
export async function until(
  { observer, stop }: Scene,
  what: string,
  isSo: () => Verdict | Promise<Verdict>,
  limitMs = patienceMs,
): Promise<void> {
  const untilMs = systemClock.monotonicMs() + limitMs;
  for (;;) {
    observer.look();
    const verdict = await isSo();
    if (verdict === true) return;
    if (verdict !== false) throw new InVain(verdict.never);
    if (systemClock.monotonicMs() >= untilMs) throw new InVain(`waited in vain for ${what}`);
    await systemClock.sleep(lookEveryMs, stop);
  }
}
