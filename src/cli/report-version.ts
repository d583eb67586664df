import type { AgentView } from '../protocol/agents.ts';
import { writeError } from './output.ts';

/**
 * One line beside what a command prints, and none where it says already that no message wakes the
 * agent: then that is what its version lacks.
 */
export function reportVersion({
  versionWarning,
  unwoken,
}: Pick<AgentView, 'versionWarning' | 'unwoken'>): void {
  if (versionWarning === undefined || unwoken !== undefined) return;
  writeError(`signalbox: ${versionWarning.what} ${versionWarning.next}`);
}
