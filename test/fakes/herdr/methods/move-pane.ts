import { type Direction, splitAt } from '../model/layout.ts';
import { needPane, needTab, needWorkspace } from '../model/lookup.ts';
import { type Pane, Tab, Workspace } from '../model/panes.ts';
import { paneInfo, workspaceInfo } from '../model/records.ts';
import type { Session } from '../model/session.ts';
import { fitTab } from '../model/sizes.ts';
import { ApiError } from '../wire/api-error.ts';
import type { Json } from '../wire/json.ts';
import { numberOf, textOf } from '../wire/request-shapes.ts';

/**
 * A pane that changes its workspace gets a new id, and keeps the old one as an alias; its terminal
 * stays what it is. Nothing is closed or created by it as far as events tell: there is only
 * `pane_moved`.
 */
export async function movePane(session: Session, params: Json): Promise<Json> {
  const pane = needPane(session, String(params['pane_id']));
  const destination = params['destination'] as Json;
  const source = { tab: pane.tab, workspace: pane.workspace };
  const previous = {
    previous_pane_id: session.ids.pane(pane),
    previous_workspace_id: source.workspace.id,
    previous_tab_id: session.ids.tab(source.tab),
  };
  const lastWorkspace = workspaceInfo(session, source.workspace);
  const target = openTarget(session, pane, destination);
  session.detach(pane);
  target.take();
  if (pane.workspace !== source.workspace) {
    session.formerIds.set(previous.previous_pane_id, pane);
  }
  const { isNewWorkspace, isNewTab } = target;
  const created = {
    ...(isNewWorkspace ? { created_workspace: workspaceInfo(session, pane.workspace) } : {}),
    ...(isNewTab ? { created_tab: session.tabInfo(pane.tab) } : {}),
  };
  const isTabGone = !source.tab.root;
  const isWorkspaceGone = source.workspace.tabs.length === 0;
  const closed = {
    ...(isWorkspaceGone ? { closed_workspace_id: source.workspace.id } : {}),
    ...(isTabGone ? { closed_tab_id: previous.previous_tab_id } : {}),
  };
  if (isNewWorkspace) {
    session.emit('workspace_created', { workspace: created.created_workspace });
  }
  if (isNewTab) session.emit('tab_created', { tab: created.created_tab });
  if (params['focus'] === true) session.show(pane);
  const moved = { ...previous, pane: paneInfo(session, pane), ...created, ...closed };
  session.emit('pane_moved', moved);
  session.emitLayout(pane.tab);
  if (source.tab.root) session.emitLayout(source.tab);
  const ids = { tab_id: previous.previous_tab_id, workspace_id: source.workspace.id };
  if (isTabGone) session.emit('tab_closed', ids);
  if (isWorkspaceGone) {
    const data = { workspace_id: source.workspace.id, workspace: lastWorkspace };
    session.emit('workspace_closed', data);
  }
  session.settle();
  await fitTab(session, source.tab);
  await fitTab(session, pane.tab);
  return { type: 'pane_move', move_result: { changed: true, ...moved } };
}

interface Target {
  readonly isNewWorkspace: boolean;
  readonly isNewTab: boolean;
  take(): void;
}

function openTarget(session: Session, pane: Pane, destination: Json): Target {
  const type = destination['type'];
  if (type === 'new_workspace') {
    const label = textOf(destination, 'label') ?? pane.workspace.label;
    const workspace = new Workspace(session.ids.newWorkspace(session.workspaces), label, pane.cwd);
    const take = () => {
      session.workspaces.push(workspace);
      session.active ??= workspace;
      addTab(pane, workspace, textOf(destination, 'tab_label'));
    };
    return { isNewWorkspace: true, isNewTab: true, take };
  }
  if (type === 'new_tab') {
    const id = textOf(destination, 'workspace_id');
    const workspace = id === undefined ? pane.workspace : needWorkspace(session, id);
    const take = () => addTab(pane, workspace, textOf(destination, 'label'));
    return { isNewWorkspace: false, isNewTab: true, take };
  }
  if (type !== 'tab') throw new ApiError('pane_move_failed', 'unknown destination');
  const tab = needTab(session, String(destination['tab_id']));
  const beside = textOf(destination, 'target_pane_id');
  const neighbour = beside === undefined ? tab.focusedPane : needPane(session, beside);
  if (neighbour.tab !== tab || neighbour === pane) {
    throw new ApiError('pane_move_failed', 'the target pane is not in that tab');
  }
  const direction = (destination['split'] ?? 'right') as Direction;
  const ratio = numberOf(destination, 'ratio') ?? 0.5;
  const take = () => {
    enter(pane, tab);
    tab.root = tab.root && splitAt(tab.root, neighbour, pane, { direction, ratio });
  };
  return { isNewWorkspace: false, isNewTab: false, take };
}

function addTab(pane: Pane, workspace: Workspace, label: string | undefined): void {
  const tab = new Tab(workspace, workspace.nextTab++, label);
  workspace.tabs.push(tab);
  enter(pane, tab);
  tab.root = { kind: 'pane', pane };
  tab.focus = pane;
  workspace.active ??= tab;
}

function enter(pane: Pane, tab: Tab): void {
  if (pane.workspace !== tab.workspace) pane.number = tab.workspace.nextPane++;
  pane.tab = tab;
}
