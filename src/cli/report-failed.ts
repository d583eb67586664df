import { callName } from '../agents/reference.ts';
import type { Failed } from '../protocol/agents.ts';
import { writeError } from './output.ts';

/**
 * Those of several that failed, one line each. The exit code is 1 whatever the faults were: the
 * others were done, and a code such as "not found" would be about all of them.
 */
export function reportFailed(failed: readonly Omit<Failed, 'id'>[]): void {
  for (const { error, ...agent } of failed) {
    writeError(`signalbox: ${callName(agent)}: ${error.message} ${error.next}`);
  }
  if (failed.length > 0) process.exitCode = 1;
}
