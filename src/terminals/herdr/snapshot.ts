import { OutsideFailure } from '../../shared/report-bug.ts';
import { type Json, readPanes, readWorkspaces, type Snapshot } from './wire.ts';

/**
 * Everything at one moment; where there is no such question, by lists one after the other, panes
 * last.
 */
export async function readSnapshot(
  ask: (method: string) => Promise<Json>,
  isListed: boolean,
): Promise<Snapshot> {
  if (isListed) {
    const { workspaces } = await ask('workspace.list');
    const { panes } = await ask('pane.list');
    requireList(panes, 'pane.list');
    return { panes: readPanes(panes, []), workspaces: readWorkspaces(workspaces) };
  }
  const { snapshot } = await ask('session.snapshot');
  const { panes, agents, workspaces } = (snapshot ?? {}) as Json;
  requireList(panes, 'session.snapshot');
  return { panes: readPanes(panes, agents), workspaces: readWorkspaces(workspaces) };
}

/** An answer without its list is none: every terminal would seem to be gone. */
function requireList(panes: unknown, method: string): void {
  if (!Array.isArray(panes)) throw new OutsideFailure(`${method}: herdr’s answer holds no panes`);
}
