import { dropTab } from '../model/closing.ts';
import { checkEnvironment, type PaneWish, spawning } from '../model/launch.ts';
import type { Direction } from '../model/layout.ts';
import { needTab, needWorkspace, paneOrFocused } from '../model/lookup.ts';
import type { Pane } from '../model/panes.ts';
import { layoutDescription } from '../model/records.ts';
import type { Session } from '../model/session.ts';
import { ApiError } from '../wire/api-error.ts';
import type { Json } from '../wire/json.ts';
import { listOf, mapOf, textOf } from '../wire/request-shapes.ts';
import type { Method } from './workspaces.ts';

export const layoutMethods: Readonly<Record<string, Method>> = {
  'layout.export': (session, params) => {
    const id = textOf(params, 'tab_id');
    const tab = id === undefined ? paneOrFocused(session, params).tab : needTab(session, id);
    return { type: 'layout_export', layout: layoutDescription(session, tab) };
  },
  /**
   * A new tab from a tree; with `tab_id` it takes that tab's place. Each leaf's `command` runs
   * without a shell.
   */
  'layout.apply': async (session, params) => {
    const root = params['root'] as Json;
    const replacedId = textOf(params, 'tab_id');
    const replaced = replacedId === undefined ? undefined : needTab(session, replacedId);
    const workspaceId = textOf(params, 'workspace_id');
    if (replaced && workspaceId !== undefined) {
      throw new ApiError('invalid_target', 'use either tab_id or workspace_id, not both');
    }
    const workspace =
      replaced?.workspace ??
      (workspaceId === undefined ? session.active : needWorkspace(session, workspaceId));
    if (!workspace) throw new ApiError('workspace_not_found', 'no active workspace');
    checkTree(root);
    const label = textOf(params, 'tab_label') ?? replaced?.label;
    const leaf = firstLeaf(root);
    const wish = { ...leafWish(leaf), ...(label === undefined ? {} : { label }) };
    const code = 'layout_apply_failed';
    const { tab, pane } = await spawning(code, () => session.createTab(workspace, wish));
    try {
      await spawning(code, () => grow(session, pane, root));
    } catch (error) {
      for (const started of tab.panes) {
        session.detach(started);
        await session.parts.terminals.close(started.terminal);
      }
      throw error;
    }
    const wasActive = replaced !== undefined && session.active?.activeTab === replaced;
    const endReplaced = replaced && dropTab(session, replaced);
    session.announceTab(tab, params['focus'] === true || wasActive);
    await endReplaced?.();
    return { type: 'layout_apply', layout: layoutDescription(session, tab) };
  },
};

/** The pane is the first leaf of the node already; the rest is split off it. */
async function grow(session: Session, pane: Pane, node: Json): Promise<void> {
  if (node['type'] === 'pane') {
    pane.label = textOf(node, 'label')?.trim() || undefined;
    return;
  }
  const [first, second] = [node['first'] as Json, node['second'] as Json];
  // How herdr bounds a ratio is not known; that it takes any finite one is.
  const ratio = Math.min(0.9, Math.max(0.1, Number(node['ratio'])));
  const how = { direction: node['direction'] as Direction, ratio };
  const added = await session.splitPane(pane, how, leafWish(firstLeaf(second)));
  await grow(session, pane, first);
  await grow(session, added, second);
}

function firstLeaf(node: Json): Json {
  return node['type'] === 'pane' ? node : firstLeaf(node['first'] as Json);
}

function leafWish(leaf: Json): PaneWish {
  const env = mapOf(leaf, 'env');
  const cwd = textOf(leaf, 'cwd');
  const argv = listOf(leaf, 'command');
  return { env, ...(cwd === undefined ? {} : { cwd }), ...(argv.length > 0 ? { argv } : {}) };
}

const mostPanes = 24;
const deepest = 16;

/**
 * All of it, before anything is started. That the nodes are nodes was seen when the request was
 * decoded.
 */
function checkTree(root: Json): void {
  let panes = 0;
  const check = (node: Json, depth: number): void => {
    const fail = (message: string) => new ApiError('invalid_layout', message);
    if (depth > deepest) throw fail(`layout depth is ${depth}; maximum is ${deepest}`);
    if (node['type'] === 'split') {
      check(node['first'] as Json, depth + 1);
      check(node['second'] as Json, depth + 1);
      return;
    }
    if (++panes > mostPanes) throw fail(`layout has more than ${mostPanes} panes`);
    if (Array.isArray(node['command']) && node['command'].length === 0) {
      throw fail('pane command must not be empty');
    }
    checkEnvironment(mapOf(node, 'env'), 'invalid_layout');
  };
  check(root, 1);
}
