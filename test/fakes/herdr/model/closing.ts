import type { Pane, Tab, Workspace } from './panes.ts';
import { workspaceInfo } from './records.ts';
import type { Session } from './session.ts';
import { fitTab } from './sizes.ts';
import { closingGroup } from './worktree-groups.ts';

export async function closePane(session: Session, pane: Pane): Promise<void> {
  const { tab, workspace } = pane;
  const data = { pane_id: session.ids.pane(pane), workspace_id: workspace.id };
  const last = workspaceInfo(session, workspace);
  session.detach(pane);
  session.emit('pane_closed', data);
  if (workspace.tabs.length === 0) {
    session.emit('workspace_closed', { workspace_id: workspace.id, workspace: last });
  } else if (tab.root) {
    session.emitLayout(tab);
  }
  session.settle();
  await session.parts.terminals.close(pane.terminal);
  await fitTab(session, tab);
}

export async function closeTab(session: Session, tab: Tab): Promise<void> {
  const { workspace } = tab;
  const last = workspaceInfo(session, workspace);
  const ended = dropTab(session, tab);
  if (workspace.tabs.length === 0) {
    session.emit('workspace_closed', { workspace_id: workspace.id, workspace: last });
  }
  session.settle();
  await ended();
}

/**
 * Without what follows from it: the focus is for the caller to settle, and the programs are for it
 * to end.
 */
export function dropTab(session: Session, tab: Tab): () => Promise<void> {
  const data = { tab_id: session.ids.tab(tab), workspace_id: tab.workspace.id };
  const { panes } = tab;
  for (const pane of panes) session.detach(pane);
  session.emit('tab_closed', data);
  return () => endAll(session, panes);
}

/** A whole group may go with it, and only the one that was named is told of. */
export async function closeWorkspace(session: Session, workspace: Workspace): Promise<void> {
  const last = workspaceInfo(session, workspace);
  const at = session.workspaces.indexOf(workspace);
  const panes = closingGroup(session, workspace).flatMap((member) => member.panes);
  for (const pane of panes) session.detach(pane);
  // Until herdr 0.8.0 the focus went to whatever took the closed one's place.
  if (session.parts.profile.isOld) {
    session.active = session.workspaces[Math.min(at, session.workspaces.length - 1)];
  }
  session.emit('workspace_closed', { workspace_id: workspace.id, workspace: last });
  session.settle();
  await endAll(session, panes);
}

async function endAll(session: Session, panes: readonly Pane[]): Promise<void> {
  for (const pane of panes) await session.parts.terminals.close(pane.terminal);
}
