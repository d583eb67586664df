import { folderOf, foregroundGroup } from '../terminals/process-info.ts';
import type { Json } from '../wire/json.ts';
import { rollUp, statusOf } from './hosted-agent.ts';
import type { Ids } from './ids.ts';
import { area, type LayoutNode, listSplits, placePanes } from './layout.ts';
import type { Pane, Tab, Workspace } from './panes.ts';
import { worktreeInfo } from './worktree-groups.ts';

/** What the records need to know beyond the thing itself. */
export interface Sight {
  readonly ids: Ids;
  readonly workspaces: readonly Workspace[];
  readonly active: Workspace | undefined;
}

export function workspaceInfo(sight: Sight, workspace: Workspace): Json {
  const { panes, tabs } = workspace;
  return {
    workspace_id: workspace.id,
    number: sight.workspaces.indexOf(workspace) + 1,
    label: workspace.label,
    focused: sight.active === workspace,
    pane_count: panes.length,
    tab_count: tabs.length,
    active_tab_id: sight.ids.tab(workspace.activeTab),
    agent_status: rollUp(panes.map(({ agent }) => statusOf(agent))),
    ...tokensOf(workspace),
    ...worktreeInfo(workspace),
  };
}

function tokensOf({ tokens }: Pane | Workspace): Json {
  return Object.keys(tokens.values).length > 0 ? { tokens: tokens.values } : {};
}

/** Where its own process is, and where the one in the foreground is. */
function foldersOf(pane: Pane): Json {
  const { pid } = pane.terminal;
  const foreground = folderOf(foregroundGroup(pid));
  return {
    cwd: folderOf(pid) ?? pane.cwd,
    ...(foreground === undefined ? {} : { foreground_cwd: foreground }),
  };
}

export function tabInfo(sight: Sight, tab: Tab, isOld = false): Json {
  const position = tab.workspace.tabs.indexOf(tab) + 1;
  const number = isOld ? position : tab.number;
  return {
    tab_id: sight.ids.tab(tab),
    workspace_id: tab.workspace.id,
    number,
    label: tab.label ?? String(position),
    focused: sight.active === tab.workspace && tab.workspace.activeTab === tab,
    pane_count: tab.panes.length,
    agent_status: rollUp(tab.panes.map(({ agent }) => statusOf(agent))),
  };
}

function isFocused(sight: Sight, pane: Pane): boolean {
  return sight.active?.activeTab.focusedPane === pane;
}

export function paneInfo(sight: Sight, pane: Pane, viewportRows?: number): Json {
  const { agent, label } = pane;
  return {
    pane_id: sight.ids.pane(pane),
    terminal_id: pane.terminal.id,
    workspace_id: pane.workspace.id,
    tab_id: sight.ids.tab(pane.tab),
    focused: isFocused(sight, pane),
    ...foldersOf(pane),
    ...(label === undefined ? {} : { label }),
    ...described(pane),
    agent_status: statusOf(agent),
    scroll: {
      offset_from_bottom: 0,
      max_offset_from_bottom: 0,
      viewport_rows: viewportRows ?? pane.terminal.size.rows,
    },
    revision: pane.revision,
  };
}

export function agentInfo(sight: Sight, pane: Pane): Json {
  const { agent } = pane;
  return {
    terminal_id: pane.terminal.id,
    ...(agent?.name === undefined ? {} : { name: agent.name }),
    ...described(pane),
    agent_status: statusOf(agent),
    ...(agent?.isScreenSkipped ? { screen_detection_skipped: true } : {}),
    workspace_id: pane.workspace.id,
    tab_id: sight.ids.tab(pane.tab),
    pane_id: sight.ids.pane(pane),
    focused: isFocused(sight, pane),
    ...(agent?.isLaunching ? { launch_pending: true } : {}),
    ...(agent?.isReady ? { interactive_ready: true } : {}),
    state_change_seq: agent?.changes ?? 0,
    ...foldersOf(pane),
    revision: pane.revision,
  };
}

/** What a pane and its agent show alike; what is not there is left out, never null. */
function described(pane: Pane): Json {
  const { agent, title, displayAgent, stateLabels } = pane;
  return {
    ...(agent?.label === undefined ? {} : { agent: agent.label }),
    ...(title === undefined ? {} : { title }),
    ...(pane.terminal.title === '' ? {} : { terminal_title: pane.terminal.title }),
    ...(displayAgent === undefined ? {} : { display_agent: displayAgent }),
    ...(Object.keys(stateLabels).length > 0 ? { state_labels: stateLabels } : {}),
    ...tokensOf(pane),
    ...(agent?.session ? { agent_session: agent.session } : {}),
  };
}

export function layoutSnapshot(sight: Sight, tab: Tab): Json {
  const root = tab.root;
  return {
    workspace_id: tab.workspace.id,
    tab_id: sight.ids.tab(tab),
    zoomed: false,
    area,
    focused_pane_id: sight.ids.pane(tab.focusedPane),
    panes: (root ? placePanes(root) : []).map(([pane, rect]) => ({
      pane_id: sight.ids.pane(pane),
      focused: tab.focusedPane === pane,
      rect,
    })),
    splits: root ? listSplits(root) : [],
  };
}

/** What `layout.export` and `layout.apply` answer: the tree, with the ids that its panes got. */
export function layoutDescription(sight: Sight, tab: Tab): Json {
  return {
    workspace_id: tab.workspace.id,
    tab_id: sight.ids.tab(tab),
    zoomed: false,
    focused_pane_id: sight.ids.pane(tab.focusedPane),
    root: tab.root ? describeNode(sight, tab.root) : {},
  };
}

function describeNode(sight: Sight, node: LayoutNode): Json {
  if (node.kind === 'split') {
    const { direction, ratio } = node;
    const [first, second] = [node.first, node.second].map((part) => describeNode(sight, part));
    return { type: 'split', direction, ratio, first, second };
  }
  const { label, argv } = node.pane;
  return {
    type: 'pane',
    pane_id: sight.ids.pane(node.pane),
    ...(label === undefined ? {} : { label }),
    cwd: folderOf(node.pane.terminal.pid) ?? node.pane.cwd,
    ...(argv ? { command: argv } : {}),
  };
}
