import { endTree, listTree, type ProcessRef } from '../shared/process-tree.ts';
import type { FleetParts } from './parts.ts';
import { runFolder } from './run-folder.ts';

/** From SIGTERM to SIGKILL. Gemini CLI 0.61.0's launcher ignores the first. */
const patienceMs = 3000;

/**
 * Ends everything of one life for good: the tree below its process, and whatever carries its marks.
 * A hangup alone is not enough: Gemini CLI 0.61.0 survives it more often than not.
 */
export function endLeftovers(
  parts: Pick<FleetParts, 'folders' | 'surroundings'>,
  life: { readonly agent: string; readonly epoch: number },
  root?: ProcessRef,
): ReturnType<typeof endTree> {
  const traces = { marks: lifeMarks(life), path: runFolder(parts, life) };
  return endTree(() => listTree(root, traces), parts.surroundings.clock, patienceMs);
}

/**
 * Ends what stood beside an agent that has ended, however it ended and whatever is noted of it:
 * Codex's app-server goes on reading what it is given, and nobody sees it. What the agent itself
 * left running is left alone; what a helper has started ends with it, and Codex's tools are started
 * by its app-server. Where the environment of processes cannot be read (macOS), closing their
 * terminals has to do.
 */
export async function endHelpers(
  parts: FleetParts,
  life: { readonly agent: string; readonly epoch: number },
): Promise<void> {
  const traces = {
    marks: [...lifeMarks(life), ...pairs(helperMark)],
    path: runFolder(parts, life),
  };
  const { clock } = parts.surroundings;
  const { left } = await endTree(() => listTree(undefined, traces), clock, patienceMs);
  if (left.length === 0) return;
  const pids = left.map(({ pid }) => pid);
  parts.log.warn({ agent: life.agent, pids }, 'helpers of an agent that has ended cannot be ended');
}

/** In the environment of a helper, and of whatever it starts. */
export const helperMark = { SIGNALBOX_HELPER: '1' } as const;

function pairs(env: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(env).map(([name, value]) => `${name}=${value}`);
}

/** By these variables in their environment the processes of a life are found again. */
function lifeMarks({ agent, epoch }: { agent: string; epoch: number }): readonly string[] {
  return [`SIGNALBOX_AGENT=${agent}`, `SIGNALBOX_EPOCH=${epoch}`];
}
