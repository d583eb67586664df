import type { Failed } from '../protocol/agents.ts';
import { exitCodes, type FaultCode } from '../shared/fault.ts';
import { writeError } from './output.ts';

/** Those of several that failed, one line each; the exit code is the gravest of theirs. */
export function reportFailed(failed: readonly Failed[]): void {
  for (const { name, error } of failed) {
    writeError(`signalbox: ${name}: ${error.message} ${error.next}`);
  }
  const codes = failed.map(({ error }) => exitCodes[error.code as FaultCode] ?? 1);
  if (codes.length > 0) process.exitCode = Math.max(...codes);
}
