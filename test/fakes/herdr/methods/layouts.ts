import { checkEnvironment, type PaneWish } from '../model/launch.ts';
import type { Direction } from '../model/layout.ts';
import { needTab, needWorkspace, paneOrFocused } from '../model/lookup.ts';
import type { Pane } from '../model/panes.ts';
import { layoutDescription } from '../model/records.ts';
import type { Session } from '../model/session.ts';
import { ApiError } from '../wire/api-error.ts';
import type { Json } from '../wire/json.ts';
import { listOf, mapOf, textOf } from '../wire/request-shapes.ts';
import { isObject } from '../wire/requests.ts';
import type { Method } from './workspaces.ts';

export const layoutMethods: Readonly<Record<string, Method>> = {
  'layout.export': (session, params) => {
    const id = textOf(params, 'tab_id');
    const tab = id === undefined ? paneOrFocused(session, params).tab : needTab(session, id);
    return { type: 'layout_export', layout: layoutDescription(session, tab) };
  },
  /** A new tab from a tree; with `tab_id` it takes that tab's place. Each leaf's `command` runs without a shell. */
  'layout.apply': async (session, params) => {
    const root = params['root'] as Json;
    checkNode(root);
    const replacedId = textOf(params, 'tab_id');
    const replaced = replacedId === undefined ? undefined : needTab(session, replacedId);
    const workspaceId = textOf(params, 'workspace_id');
    const workspace =
      replaced?.workspace ??
      (workspaceId === undefined ? session.active : needWorkspace(session, workspaceId));
    if (!workspace) throw new ApiError('workspace_not_found', 'no active workspace');
    const label = textOf(params, 'tab_label') ?? replaced?.label;
    const leaf = firstLeaf(root);
    const wish = { ...leafWish(leaf), ...(label === undefined ? {} : { label }) };
    const { tab, pane } = await session.createTab(workspace, wish);
    try {
      await grow(session, pane, root);
    } catch (error) {
      for (const started of tab.panes) {
        session.detach(started);
        await session.parts.terminals.close(started.terminal);
      }
      throw error;
    }
    const wasActive = replaced !== undefined && session.active?.activeTab === replaced;
    if (replaced) await session.closeTab(replaced);
    session.announceTab(tab, params['focus'] === true || wasActive);
    return { type: 'layout_apply', layout: layoutDescription(session, tab) };
  },
};

/** The pane is the first leaf of the node already; the rest is split off it. */
async function grow(session: Session, pane: Pane, node: Json): Promise<void> {
  if (node['type'] === 'pane') {
    pane.label = textOf(node, 'label');
    return;
  }
  const [first, second] = [node['first'] as Json, node['second'] as Json];
  const how = { direction: node['direction'] as Direction, ratio: Number(node['ratio']) };
  const added = await session.splitPane(pane, how, leafWish(firstLeaf(second)));
  await grow(session, pane, first);
  await grow(session, added, second);
}

function firstLeaf(node: Json): Json {
  return node['type'] === 'pane' ? node : firstLeaf(node['first'] as Json);
}

function leafWish(leaf: Json): PaneWish {
  const env = mapOf(leaf, 'env');
  checkEnvironment(env);
  const cwd = textOf(leaf, 'cwd');
  const argv = listOf(leaf, 'command');
  return { env, ...(cwd === undefined ? {} : { cwd }), ...(argv.length > 0 ? { argv } : {}) };
}

function checkNode(node: Json): void {
  if (node['type'] === 'pane') {
    if (Array.isArray(node['command']) && node['command'].length === 0) {
      throw new ApiError('invalid_layout', 'pane command must not be empty');
    }
    return;
  }
  const { first, second, ratio } = node;
  if (node['type'] !== 'split' || !isObject(first) || !isObject(second)) {
    throw new ApiError('invalid_layout', 'a node is either a pane or a split of two');
  }
  if (typeof ratio !== 'number' || ratio <= 0 || ratio >= 1) {
    throw new ApiError('invalid_layout', 'ratio must lie between 0 and 1');
  }
  checkNode(first);
  checkNode(second);
}
