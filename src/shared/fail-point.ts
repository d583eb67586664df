import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from './clock.ts';

/**
 * Named places at which a test can stop or kill the process, so that a crash window is hit exactly
 * and never by timing. Off unless SIGNALBOX_FAILPOINTS names the place:
 * `drain.claimed=hold,drain.printed=kill`.
 *
 *   hold   leave a file `<place>.<pid>` in SIGNALBOX_FAILPOINT_DIR and wait until somebody removes
 *          it, or kills us
 *   kill   SIGKILL ourselves on the spot
 */
export async function reachFailPoint(place: string): Promise<void> {
  const action = plan?.get(place);
  if (!action) return;
  if (action === 'kill') {
    process.kill(process.pid, 'SIGKILL');
    // The signal is delivered at the next return to user space; nothing after this line may run.
    for (;;);
  }
  const mark = join(process.env['SIGNALBOX_FAILPOINT_DIR'] ?? '.', `${place}.${process.pid}`);
  writeFileSync(mark, '');
  while (existsSync(mark)) await systemClock.sleep(5);
}

const plan = readPlan(process.env['SIGNALBOX_FAILPOINTS']);

function readPlan(text: string | undefined): ReadonlyMap<string, 'hold' | 'kill'> | undefined {
  if (!text) return undefined;
  const places = new Map<string, 'hold' | 'kill'>();
  for (const item of text.split(',')) {
    const [place = '', action] = item.split('=');
    if (action === 'hold' || action === 'kill') places.set(place, action);
  }
  return places;
}
