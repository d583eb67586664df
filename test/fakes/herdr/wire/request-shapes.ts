import type { Profile } from '../profile.ts';
import type { Json } from './json.ts';

type TypeName =
  | 'string'
  | 'boolean'
  | 'number'
  | 'strings'
  | 'list'
  | 'map'
  | 'map of strings'
  | 'unsigned integer';

/** A type, a set of words, a nested map, or a check that says what is wrong. */
export type Rule = TypeName | readonly string[] | Rules | ((value: unknown) => string | undefined);
/** A name that ends in `?` may be missing. */
export interface Rules {
  readonly [name: string]: Rule;
}

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
const wait: Rules = { 'until?': 'list', 'timeout_ms?': 'unsigned integer' };

const both: Rules = {
  ping: {},
  'server.stop': {},
  'workspace.create': { ...fresh, 'label?': 'string' },
  'workspace.list': {},
  'workspace.get': workspace,
  'workspace.focus': workspace,
  'workspace.rename': { ...workspace, label: 'string' },
  'workspace.close': workspace,
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
  'pane.process_info': { 'pane_id?': 'string' },
  'pane.report_agent': { ...report, state: ['idle', 'working', 'blocked', 'unknown'] },
  'pane.report_agent_session': report,
  'pane.report_metadata': {
    ...pane,
    source: 'string',
    'title?': 'string',
    'display_agent?': 'string',
    'state_labels?': 'map of strings',
    'tokens?': 'map',
    'seq?': 'unsigned integer',
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
  'pane.move': { ...pane, destination: 'map', 'focus?': 'boolean' },
  'layout.export': { 'tab_id?': 'string', 'pane_id?': 'string' },
  'layout.apply': {
    'workspace_id?': 'string',
    'tab_id?': 'string',
    'tab_label?': 'string',
    'focus?': 'boolean',
    root: 'map',
  },
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
const missingIn068 = ['pane.updated', 'pane.moved', 'layout.updated'];

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
    'pane.scroll_changed': pane,
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
