import type { Profile } from '../profile.ts';
import type { Json } from './json.ts';
import { findWrong, isObject, type Rules } from './rules.ts';

const pane: Rules = { pane_id: 'string' };
const target: Rules = { target: 'string' };
const tab: Rules = { tab_id: 'string' };
const workspace: Rules = { workspace_id: 'string' };
const fresh: Rules = { 'cwd?': 'string', 'focus?': 'boolean', 'env?': 'map of strings' };
const sources = ['visible', 'recent', 'recent_unwrapped', 'detection'];
const statuses = ['idle', 'working', 'blocked', 'done', 'unknown'];
const read: Rules = {
  source: sources,
  'lines?': 'unsigned integer',
  'format?': ['text', 'ansi'],
  'strip_ansi?': 'boolean',
};
const match: Rules = { type: ['substring', 'regex'], value: 'string' };
const report: Rules = {
  ...pane,
  source: 'string',
  agent: 'string',
  'seq?': 'unsigned integer',
  'agent_session_id?': 'string',
  'agent_session_path?': 'string',
};
const numbered: Rules = { 'seq?': 'unsigned integer', 'ttl_ms?': 'unsigned integer' };
const repository: Rules = { 'workspace_id?': 'string', 'cwd?': 'string' };
const checkout: Rules = {
  ...repository,
  'branch?': 'string',
  'path?': 'string',
  'label?': 'string',
  'focus?': 'boolean',
};
const wait: Rules = { 'until?': 'list', 'timeout_ms?': 'unsigned integer' };

/** `{key: text or null}`. */
function tokens(value: unknown): string | undefined {
  const isRight =
    isObject(value) &&
    Object.values(value).every((each) => each === null || typeof each === 'string');
  return isRight ? undefined : 'invalid type for `tokens`: expected a map of strings or nulls';
}

const leaf: Rules = {
  'label?': 'string',
  'cwd?': 'string',
  'command?': 'strings',
  'env?': 'map of strings',
};
const split: Rules = {
  direction: ['right', 'down'],
  ratio: 'number',
  first: layoutNode,
  second: layoutNode,
};

/** A tree of panes and splits. */
function layoutNode(value: unknown): string | undefined {
  if (!isObject(value)) return 'invalid type: expected a layout node';
  if (value['type'] === 'pane') return findWrong(value, leaf);
  if (value['type'] === 'split') return findWrong(value, split);
  return value['type'] === undefined
    ? 'missing field `type`'
    : `unknown variant \`${String(value['type'])}\`, expected \`pane\` or \`split\``;
}

const both: Rules = {
  ping: {},
  'server.stop': {},
  'workspace.create': { ...fresh, 'label?': 'string' },
  'workspace.list': {},
  'workspace.get': workspace,
  'workspace.focus': workspace,
  'workspace.rename': { ...workspace, label: 'string' },
  'workspace.close': workspace,
  'worktree.list': repository,
  'worktree.create': { ...checkout, 'base?': 'string' },
  'worktree.open': checkout,
  'worktree.remove': { ...workspace, 'force?': 'boolean' },
  'tab.create': { ...fresh, 'workspace_id?': 'string', 'label?': 'string' },
  'tab.list': { 'workspace_id?': 'string' },
  'tab.get': tab,
  'tab.focus': tab,
  'tab.rename': { ...tab, label: 'string' },
  'tab.close': tab,
  'pane.split': {
    ...fresh,
    'target_pane_id?': 'string',
    'workspace_id?': 'string',
    direction: ['right', 'down'],
    'ratio?': 'number',
  },
  'pane.list': { 'workspace_id?': 'string' },
  'pane.get': pane,
  'pane.focus': pane,
  'pane.rename': { ...pane, 'label?': 'string' },
  'pane.close': pane,
  'pane.send_text': { ...pane, text: 'string' },
  'pane.send_keys': { ...pane, keys: 'strings' },
  'pane.send_input': { ...pane, 'text?': 'string', 'keys?': 'strings' },
  'pane.read': { ...pane, ...read },
  'pane.wait_for_output': { ...pane, ...read, match, 'timeout_ms?': 'unsigned integer' },
  'pane.report_agent': { ...report, state: ['idle', 'working', 'blocked', 'unknown'] },
  'pane.report_agent_session': { ...report, 'session_start_source?': 'string' },
  'pane.report_metadata': {
    ...pane,
    source: 'string',
    'agent?': 'string',
    'applies_to_source?': 'string',
    'title?': 'string',
    'display_agent?': 'string',
    'state_labels?': 'map of strings',
    'tokens?': tokens,
    'clear_title?': 'boolean',
    'clear_display_agent?': 'boolean',
    'clear_state_labels?': 'boolean',
    ...numbered,
  },
  'pane.release_agent': { ...pane, source: 'string', agent: 'string', 'seq?': 'unsigned integer' },
  'pane.clear_agent_authority': { ...pane, 'source?': 'string', 'seq?': 'unsigned integer' },
  'agent.list': {},
  'agent.get': target,
  'agent.focus': target,
  'agent.read': { ...target, ...read },
  'agent.rename': { ...target, 'name?': 'string' },
  'events.subscribe': { subscriptions: 'list' },
  'events.wait': { match_event: { event: 'string' }, 'timeout_ms?': 'unsigned integer' },
};

const since07: Rules = {
  'notification.show': { title: 'string', 'body?': 'string' },
  'session.snapshot': {},
  'pane.current': { 'caller_pane_id?': 'string' },
  'pane.layout': { 'pane_id?': 'string' },
  'pane.process_info': { 'pane_id?': 'string' },
  'pane.move': { ...pane, destination: 'map', 'focus?': 'boolean' },
  'layout.export': { 'tab_id?': 'string', 'pane_id?': 'string' },
  'layout.apply': {
    'workspace_id?': 'string',
    'tab_id?': 'string',
    'tab_label?': 'string',
    'focus?': 'boolean',
    root: layoutNode,
  },
  'workspace.report_metadata': { ...workspace, source: 'string', tokens, ...numbered },
  'agent.send_keys': { ...target, keys: 'strings' },
  'agent.start': {
    name: 'string',
    kind: 'string',
    pane_id: 'string',
    'args?': 'strings',
    'timeout_ms?': 'unsigned integer',
  },
  'agent.prompt': { ...target, text: 'string', 'wait?': wait },
  'agent.wait': { ...target, ...wait },
};

const only068: Rules = {
  // There a pane is never split without saying which.
  'pane.split': { ...fresh, target_pane_id: 'string', direction: ['right', 'down'] },
  'agent.send': { ...target, text: 'string' },
  'agent.start': {
    ...fresh,
    name: 'string',
    argv: 'strings',
    'workspace_id?': 'string',
    'tab_id?': 'string',
    'split?': ['right', 'down'],
  },
};

const globalKinds = [
  ...['created', 'updated', 'metadata_updated', 'renamed', 'moved', 'reordered', 'closed'].map(
    (what) => `workspace.${what}`,
  ),
  ...['workspace.focused', 'worktree.created', 'worktree.opened', 'worktree.removed'],
  ...['created', 'closed', 'focused', 'renamed', 'moved'].map((what) => `tab.${what}`),
  ...['created', 'closed', 'updated', 'focused', 'moved', 'exited', 'agent_detected'].map(
    (what) => `pane.${what}`,
  ),
  'layout.updated',
];
const missingIn068 = [
  ...['pane.updated', 'pane.moved', 'layout.updated'],
  ...['workspace.metadata_updated', 'workspace.reordered'],
];

export function methodsOf(profile: Profile): Readonly<Record<string, Rules>> {
  return { ...both, ...(profile.isOld ? only068 : since07) } as Record<string, Rules>;
}

/** By `type`, what else a subscription must say. */
export function subscriptionKinds(profile: Profile): Readonly<Record<string, Rules>> {
  const kinds = globalKinds.filter((kind) => !profile.isOld || !missingIn068.includes(kind));
  return {
    ...Object.fromEntries(kinds.map((kind) => [kind, {}])),
    'pane.output_matched': { ...pane, ...read, match },
    'pane.agent_status_changed': { ...pane, 'agent_status?': statuses },
    ...(profile.isOld ? {} : { 'pane.scroll_changed': pane }),
  };
}

/** Optional parameters, read as what their rule has checked. */
export function textOf(params: Json, name: string): string | undefined {
  const value = params[name];
  return typeof value === 'string' ? value : undefined;
}

export function numberOf(params: Json, name: string): number | undefined {
  const value = params[name];
  return typeof value === 'number' ? value : undefined;
}

export function listOf(params: Json, name: string): readonly string[] {
  const value = params[name];
  return Array.isArray(value) ? (value as string[]) : [];
}

export function mapOf(params: Json, name: string): Readonly<Record<string, string>> {
  return (params[name] ?? {}) as Record<string, string>;
}
