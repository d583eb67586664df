import { writeError } from './output.ts';

/**
 * Said at once, beside what a command prints: no message wakes the agent, and so this waits
 * (rule 48).
 */
export function reportUnwoken(
  unwoken: string | undefined,
  what?: 'Its first message' | 'The message' | 'The task',
): void {
  if (unwoken === undefined) return;
  const waits = what === undefined ? '' : `${what} waits. `;
  writeError(`signalbox: ${waits}${unwoken}`);
}
