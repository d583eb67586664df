import { setTimeout as delay } from 'node:timers/promises';
import { systemClock } from '../../../src/shared/clock.ts';
import { listAwaited } from './checks.ts';
import { drainHalf, drainIntoFullDisk, drainOnce, runDrainer } from './drain-load.ts';
import { drainLate } from './late-load.ts';
import { ackOnce, lookOnce } from './look-load.ts';
import { runVisitor } from './removal-load.ts';
import { progressLine } from './report.ts';
import type { Run } from './run.ts';
import { answerAll, runSender, sendOnce } from './send-load.ts';
import { agents } from './world.ts';

/** A slow machine gets this much longer to fall into every window and meet every case. */
const patience = 20;

/**
 * From the end of the load until everybody is gone and every send is answered. It takes seconds.
 */
const quietMs = 180_000;

/**
 * Everything at once, for so long or until every window was hit and every awaited check met a case;
 * then everybody comes to a quiet end and every send is answered. Returns how long the load lasted.
 */
export async function runLoad(
  run: Run,
  { seconds, say }: { seconds: number; say: (line: string) => void },
  holdFolder: string,
): Promise<number> {
  const startedAtMs = systemClock.monotonicMs();
  const { random, signal } = run;
  const drained = [...agents.ordinary, agents.calm];
  const parts = [
    ...Array.from({ length: 3 }, () => () => runSender(run)),
    ...Array.from({ length: 2 }, () => () => sendOnce(run)),
    ...[...drained, ...drained].map((inbox) => () => runDrainer(run, inbox)),
    ...Array.from({ length: 2 }, () => () => drainByCommand(run)),
    () => (random.chance(0.75) ? drainHalf(run) : drainBulk(run)),
    () => drainLate(run, holdFolder),
    () => ackOnce(run),
    () => lookOnce(run),
  ];
  let visitors = 0;
  for (let i = 0; i < 2; i++) parts.push(() => runVisitor(run, `visitor-${++visitors}`));
  const everybody = Promise.all(parts.map((part) => run.repeat(part)));
  const elapsed = (): number => (systemClock.monotonicMs() - startedAtMs) / 1000;
  for (let next = 3; !signal.aborted; ) {
    await delay(100);
    if (elapsed() >= next) {
      say(progressLine(run, elapsed()));
      next += 3;
    }
    if (elapsed() >= seconds * patience) break;
    if (elapsed() >= seconds && hasMetAll(run, seconds)) break;
  }
  const loadMs = systemClock.monotonicMs() - startedAtMs;
  run.orders.end();
  run.isLoaded = false;
  say('quiet: everybody ends, open sends are repeated, every inbox is drained');
  await beforeDeadline(Promise.all([everybody, answerAll(run)]));
  return loadMs;
}

function hasMetAll({ children, observer }: Run, seconds: number): boolean {
  const idle = observer.judged.listIdle(listAwaited(seconds));
  return children.everyWindowWasHit() && idle.length === 0;
}

/** Whoever does not come to an end must not keep the run from coming to its own. */
async function beforeDeadline(work: Promise<unknown>): Promise<void> {
  const over = new AbortController();
  const tooLate = delay(quietMs, undefined, { signal: over.signal }).then(() => {
    throw new Error(`The run did not come to rest within ${quietMs / 1000} s.`);
  });
  try {
    await Promise.race([work, tooLate]);
  } finally {
    over.abort();
    tooLate.catch(() => undefined);
  }
}

async function drainByCommand(run: Run): Promise<void> {
  const { random } = run;
  const besideWorkers = random.pick([...agents.ordinary, agents.calm]);
  await drainOnce(run, random.chance(0.7) ? agents.commanded : besideWorkers);
}

async function drainBulk(run: Run): Promise<void> {
  if (run.random.chance(0.4)) await drainIntoFullDisk(run);
  else await drainOnce(run, agents.bulk);
}
