import { endTree, listTree, type ProcessRef } from '../shared/process-tree.ts';
import type { FleetParts } from './parts.ts';

/** From SIGTERM to SIGKILL. Gemini CLI 0.61.0's launcher ignores the first. */
const patienceMs = 3000;

/**
 * Ends everything of one life for good: the tree below its process, and whatever carries its marks. A hangup alone is not
 * enough: Gemini CLI 0.61.0 survives it more often than not.
 */
export function endLeftovers(
  parts: FleetParts,
  life: { readonly agent: string; readonly epoch: number },
  root?: ProcessRef,
): ReturnType<typeof endTree> {
  return endTree(() => listTree(root, lifeMarks(life)), parts.surroundings.clock, patienceMs);
}

/** By these variables in their environment the processes of a life are found again. */
function lifeMarks({ agent, epoch }: { agent: string; epoch: number }): readonly string[] {
  return [`SIGNALBOX_AGENT=${agent}`, `SIGNALBOX_EPOCH=${epoch}`];
}
