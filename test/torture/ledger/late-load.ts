import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { defaultLeaseMs } from '../../../src/messages/claim.ts';
import { systemClock } from '../../../src/shared/clock.ts';
import { startDrain, takeDocument } from './drain-load.ts';
import type { Run } from './run.ts';
import { agents } from './world.ts';

/**
 * A drain that is held between its claim and its confirmation until half of its lease, or all of
 * it, has passed, and then goes on as if nothing had happened: it must print nothing (rules 3, 16),
 * because others may have taken what it held.
 */
export async function drainLate(run: Run, folder: string): Promise<void> {
  const mine = join(folder, String(systemClock.monotonicMs()));
  mkdirSync(mine, { recursive: true });
  const inbox = run.random.pick(agents.ordinary);
  const hold = { SIGNALBOX_FAILPOINTS: 'drain.claimed=hold', SIGNALBOX_FAILPOINT_DIR: mine };
  const child = await startDrain(run, inbox, { by: 'itself' }, hold);
  let isOver = false;
  void child.ended.then(() => {
    isOver = true;
  });
  const mark = (): string | undefined => readdirSync(mine)[0];
  while (!isOver && !mark()) await delay(20);
  const heldAtMs = systemClock.monotonicMs();
  const lateMs = run.random.between(0.55, 1.15) * defaultLeaseMs;
  while (!isOver && run.isLoaded && systemClock.monotonicMs() - heldAtMs < lateMs) await delay(50);
  const isLate = systemClock.monotonicMs() - heldAtMs >= lateMs;
  // The run is over too soon: it dies like any other.
  if (!isLate) child.kill();
  const held = mark();
  if (held && existsSync(join(mine, held))) rmSync(join(mine, held));
  const handed = takeDocument(run, child, inbox, await child.ended, { by: 'itself' });
  if (held === undefined || !isLate) return;
  run.late++;
  run.observer.judged.note('drain: held past its lease');
  if (handed > 0)
    run.observer.complain(`a drain of ${inbox} printed ${Math.round(lateMs)} ms after its claim`);
}
