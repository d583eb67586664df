import { existsSync } from 'node:fs';
import type { Clock } from '../shared/clock.ts';
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

export async function waitForPath(
  path: string | undefined,
  clock: Clock,
  signal?: AbortSignal,
): Promise<void> {
  const deadline = clock.monotonicMs() + readyMs;
  while (path !== undefined && !existsSync(path) && clock.monotonicMs() < deadline) {
    await clock.sleep(readyCheckMs, signal);
  }
}
