import { writeJson } from '../../../src/cli/output.ts';
import { openDirectClient } from '../../../src/client/direct/open.ts';
import type { DrainResult } from '../../../src/protocol/messages.ts';
import { systemClock } from '../../../src/shared/clock.ts';
import { reachFailPoint } from '../../../src/shared/fail-point.ts';
import { Fault } from '../../../src/shared/fault.ts';

/** What a worker that drains says, one line each. */
export type DrainerLine =
  | ({ readonly beganAtMs: number } & DrainResult)
  | { readonly finishedAtMs: number }
  | { readonly fault: { readonly code: string; readonly message: string } };

/**
 * Drains one inbox through the client library, as the command does, until its input ends:
 * `drainer <agent> <max>`.
 */
async function drainUntilTold([agent = 'self', max = '1000']: readonly string[]): Promise<void> {
  let isOver = false;
  process.stdin.once('end', () => {
    isOver = true;
  });
  process.stdin.resume();
  const client = await openDirectClient(process.env);
  while (!isOver) {
    const beganAtMs = systemClock.monotonicMs();
    const drain = await client.drain(agent, { max: Number(max) });
    if (drain.messages.length === 0) {
      await systemClock.sleep(80);
      continue;
    }
    writeJson({ beganAtMs, ...drain });
    await reachFailPoint('drain.printed');
    await drain.finish();
    writeJson({ finishedAtMs: systemClock.monotonicMs() });
  }
  await client.close();
}

try {
  await drainUntilTold(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof Fault)) throw error;
  writeJson({ fault: { code: error.code, message: error.message } });
}
