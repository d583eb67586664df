import { closeTab, closeWorkspace } from '../model/closing.ts';
import { checkEnvironment, type PaneWish, spawning } from '../model/launch.ts';
import { needTab, needWorkspace } from '../model/lookup.ts';
import { paneInfo, workspaceInfo } from '../model/records.ts';
import type { Session } from '../model/session.ts';
import { refuseGroupClose } from '../model/worktree-groups.ts';
import { ApiError } from '../wire/api-error.ts';
import type { Json } from '../wire/json.ts';
import { mapOf, textOf } from '../wire/request-shapes.ts';

export type Method = (session: Session, params: Json) => Promise<Json> | Json;

/**
 * `cwd`, `env` and `label`, as every method that starts a pane takes them; herdr 0.6.8 knows no
 * `env` and overlooks it.
 */
export function wishOf(session: Session, params: Json): PaneWish & { readonly label?: string } {
  const env = session.parts.profile.isOld ? {} : mapOf(params, 'env');
  checkEnvironment(env);
  const cwd = textOf(params, 'cwd');
  const label = textOf(params, 'label');
  return { env, ...(cwd === undefined ? {} : { cwd }), ...(label === undefined ? {} : { label }) };
}

export const workspaceMethods: Readonly<Record<string, Method>> = {
  'workspace.create': async (session, params) => {
    const focus = params['focus'] === true;
    const { workspace, tab, pane } = await spawning('workspace_create_failed', () =>
      session.createWorkspace(wishOf(session, params), focus),
    );
    return {
      type: 'workspace_created',
      workspace: workspaceInfo(session, workspace),
      tab: session.tabInfo(tab),
      root_pane: paneInfo(session, pane, 24),
    };
  },
  'workspace.list': (session) => ({
    type: 'workspace_list',
    workspaces: session.workspaces.map((workspace) => workspaceInfo(session, workspace)),
  }),
  'workspace.get': (session, params) => {
    const workspace = needWorkspace(session, String(params['workspace_id']));
    return { type: 'workspace_info', workspace: workspaceInfo(session, workspace) };
  },
  'workspace.focus': (session, params) => {
    const workspace = needWorkspace(session, String(params['workspace_id']));
    session.show(workspace.activeTab.focusedPane);
    session.settle();
    return { type: 'workspace_info', workspace: workspaceInfo(session, workspace) };
  },
  'workspace.rename': (session, params) => {
    const workspace = needWorkspace(session, String(params['workspace_id']));
    workspace.label = String(params['label']);
    const { id, label } = workspace;
    session.emit('workspace_renamed', { workspace_id: id, label });
    session.settle();
    return { type: 'workspace_info', workspace: workspaceInfo(session, workspace) };
  },
  'workspace.close': async (session, params) => {
    await closeWorkspace(session, needWorkspace(session, String(params['workspace_id'])));
    return { type: 'ok' };
  },
};

export const tabMethods: Readonly<Record<string, Method>> = {
  'tab.create': async (session, params) => {
    const id = textOf(params, 'workspace_id');
    const workspace = id === undefined ? session.active : needWorkspace(session, id);
    if (!workspace) throw new ApiError('workspace_not_found', 'no active workspace');
    const { tab, pane } = await spawning('tab_create_failed', () =>
      session.createTab(workspace, wishOf(session, params)),
    );
    session.announceTab(tab, params['focus'] === true);
    return {
      type: 'tab_created',
      tab: session.tabInfo(tab),
      root_pane: paneInfo(session, pane, 24),
    };
  },
  'tab.list': (session, params) => {
    const id = textOf(params, 'workspace_id');
    const workspaces = id === undefined ? session.workspaces : [needWorkspace(session, id)];
    const tabs = workspaces.flatMap((workspace) => workspace.tabs);
    return { type: 'tab_list', tabs: tabs.map((tab) => session.tabInfo(tab)) };
  },
  'tab.get': (session, params) => {
    const tab = needTab(session, String(params['tab_id']));
    return { type: 'tab_info', tab: session.tabInfo(tab) };
  },
  'tab.focus': (session, params) => {
    const tab = needTab(session, String(params['tab_id']));
    session.show(tab.focusedPane);
    session.settle();
    return { type: 'tab_info', tab: session.tabInfo(tab) };
  },
  'tab.rename': (session, params) => {
    const tab = needTab(session, String(params['tab_id']));
    const label = String(params['label']);
    tab.label = label;
    const ids = { tab_id: session.ids.tab(tab), workspace_id: tab.workspace.id };
    session.emit('tab_renamed', { ...ids, label });
    session.settle();
    return { type: 'tab_info', tab: session.tabInfo(tab) };
  },
  'tab.close': async (session, params) => {
    const tab = needTab(session, String(params['tab_id']));
    if (tab.workspace.tabs.length === 1) {
      if (session.parts.profile.isOld) {
        throw new ApiError('tab_close_failed', 'cannot close the last tab in a workspace');
      }
      refuseGroupClose(session, tab.workspace, 'tab');
    }
    await closeTab(session, tab);
    return { type: 'ok' };
  },
};
