import { existsSync } from 'node:fs';
import type { Clock } from '../shared/clock.ts';
import { Fault } from '../shared/fault.ts';
import { readEnvironment } from '../shared/process-tree.ts';

const executedMs = 2000;
const executedCheckMs = 5;

/**
 * A process that was named a moment ago may still be whoever forked it: 37 of 200 had not executed
 * anything yet when they were looked at (tmux 3.3a, two busy cores). Whoever then reads its
 * environment, to find what the CLI writes, reads the server's.
 */
export async function waitForProgram(
  pid: number,
  env: Readonly<Record<string, string>>,
  clock: Clock,
): Promise<void> {
  const wanted = Object.entries(env);
  const deadline = clock.monotonicMs() + executedMs;
  while (clock.monotonicMs() < deadline) {
    // It has ended already, or this system does not tell.
    const has = readEnvironment(pid);
    if (!has || wanted.every(([name, value]) => has[name] === value)) return;
    await clock.sleep(executedCheckMs);
  }
}

/** A helper that is not ready by then may be ready soon: the agent is started all the same. */
const readyMs = 15_000;
const readyCheckMs = 25;

interface HelperWait {
  readonly clock: Clock;
  /** Its program has ended, and so will never be ready. */
  readonly hasEnded: () => boolean;
  readonly signal?: AbortSignal | undefined;
}

/** Waits for the path by which a helper says that it is ready; `ended` at once when it died. */
export async function waitForPath(
  path: string | undefined,
  { clock, hasEnded, signal }: HelperWait,
): Promise<'ready' | 'late' | 'ended'> {
  const deadline = clock.monotonicMs() + readyMs;
  while (path !== undefined && !existsSync(path)) {
    // It may have made the path and ended since we looked.
    if (hasEnded()) return existsSync(path) ? 'ready' : 'ended';
    if (clock.monotonicMs() >= deadline) return 'late';
    await clock.sleep(readyCheckMs, signal);
  }
  return 'ready';
}

/** An agent without its helper is deaf, or does not start: the launch fails with its words. */
export function helperEnded(agent: string, helper: string, said: string): Fault {
  return new Fault(
    'launch-failed',
    `The program "${helper}", which "${agent}" needs beside it, ended before it was ready. ${said}`,
    'Fix what it says, then launch it again; see also `signalbox doctor`.',
  );
}
