import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import type { Direction, LayoutNode } from './layout.ts';
import { Pane, Tab, Workspace } from './panes.ts';
import type { Session } from './session.ts';
import type { Membership } from './worktree-groups.ts';

/**
 * What outlives a server: workspaces, tabs and the tree of panes with their public numbers and
 * counters. Not the programs: after a restart every pane has a fresh shell and a new terminal id.
 */
interface Kept {
  readonly next: number;
  readonly active: number;
  readonly workspaces: readonly KeptWorkspace[];
}

interface KeptWorkspace {
  readonly id: string;
  readonly label: string;
  readonly cwd: string;
  readonly nextTab: number;
  readonly nextPane: number;
  readonly active: number;
  readonly worktree?: Membership;
  readonly tabs: readonly { number: number; label?: string; focus: number; root: KeptNode }[];
}

type KeptNode =
  | { readonly number: number; readonly cwd: string; readonly label?: string }
  | { direction: Direction; ratio: number; first: KeptNode; second: KeptNode };

export function keep(session: Session, path: string): void {
  const kept: Kept = {
    next: session.ids.next,
    active: session.active ? session.workspaces.indexOf(session.active) : -1,
    workspaces: session.workspaces.map((workspace) => ({
      id: workspace.id,
      label: workspace.label,
      cwd: workspace.cwd,
      nextTab: workspace.nextTab,
      nextPane: workspace.nextPane,
      active: workspace.tabs.indexOf(workspace.activeTab),
      ...(workspace.worktree ? { worktree: workspace.worktree } : {}),
      tabs: workspace.tabs.flatMap((tab) => {
        if (!tab.root) return [];
        const { number, label, focusedPane, root } = tab;
        const named = label === undefined ? {} : { label };
        return [{ number, ...named, focus: focusedPane.number, root: keepNode(root) }];
      }),
    })),
  };
  writeFileSync(`${path}.new`, JSON.stringify(kept));
  renameSync(`${path}.new`, path);
}

function keepNode(node: LayoutNode): KeptNode {
  if (node.kind === 'pane') {
    const { number, cwd, label } = node.pane;
    return { number, cwd, ...(label === undefined ? {} : { label }) };
  }
  const { direction, ratio, first, second } = node;
  return { direction, ratio, first: keepNode(first), second: keepNode(second) };
}

export async function restore(session: Session, path: string): Promise<void> {
  if (!existsSync(path)) return;
  const kept = JSON.parse(readFileSync(path, 'utf8')) as Kept;
  for (const each of kept.workspaces) {
    const workspace = new Workspace(each.id, each.label, each.cwd);
    for (const { number, label, focus, root } of each.tabs) {
      const tab = new Tab(workspace, number, label);
      workspace.tabs.push(tab);
      tab.root = restoreNode(session, tab, root);
      tab.focus = tab.panes.find((pane) => pane.number === focus);
    }
    workspace.worktree = each.worktree;
    workspace.nextTab = each.nextTab;
    workspace.nextPane = each.nextPane;
    workspace.active = workspace.tabs[each.active];
    session.workspaces.push(workspace);
  }
  session.active = session.workspaces[kept.active];
  session.ids.restored(session.workspaces, kept.next);
  for (const tab of session.workspaces.flatMap(({ tabs }) => tabs)) await session.startAll(tab);
}

function restoreNode(session: Session, tab: Tab, node: KeptNode): LayoutNode {
  if ('number' in node) {
    const pane = new Pane(session.nextRaw(), tab, node.number, node.cwd);
    pane.label = node.label;
    return { kind: 'pane', pane };
  }
  const { direction, ratio } = node;
  const first = restoreNode(session, tab, node.first);
  return { kind: 'split', direction, ratio, first, second: restoreNode(session, tab, node.second) };
}
