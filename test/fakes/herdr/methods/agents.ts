import { setTimeout as delay } from 'node:timers/promises';
import { waitForStatus } from '../events/waits.ts';
import { kinds, newHosted } from '../model/hosted-agent.ts';
import { needAgent, needPane, needTab, needWorkspace } from '../model/lookup.ts';
import type { Pane } from '../model/panes.ts';
import { agentInfo } from '../model/records.ts';
import type { Session } from '../model/session.ts';
import { encodeKeys } from '../terminals/keys.ts';
import { foregroundGroup } from '../terminals/process-info.ts';
import { ApiError } from '../wire/api-error.ts';
import type { Peer } from '../wire/connections.ts';
import type { Json } from '../wire/json.ts';
import { listOf, textOf } from '../wire/request-shapes.ts';
import type { Request } from '../wire/requests.ts';
import { readPane } from './read-pane.ts';
import { type Method, wishOf } from './workspaces.ts';

export const agentMethods: Readonly<Record<string, Method>> = {
  'agent.list': (session) => {
    const hosts = session.panes.filter(({ agent }) => agent);
    return { type: 'agent_list', agents: hosts.map((pane) => agentInfo(session, pane)) };
  },
  'agent.get': (session, params) => info(session, needAgent(session, String(params['target']))),
  'agent.focus': (session, params) => {
    const pane = needAgent(session, String(params['target']));
    session.show(pane);
    session.settle();
    return info(session, pane);
  },
  'agent.read': async (session, params) => {
    const pane = needAgent(session, String(params['target']));
    return { type: 'pane_read', read: await readPane(session, pane, params) };
  },
  'agent.rename': (session, params) => {
    const pane = needAgent(session, String(params['target']));
    const name = textOf(params, 'name');
    if (name !== undefined) checkName(session, name);
    if (pane.agent) pane.agent.name = name;
    return info(session, pane);
  },
  'agent.send_keys': async (session, params) => {
    const pane = needAgent(session, String(params['target']));
    const keys = encodeKeys(listOf(params, 'keys'));
    await session.parts.terminals.write(pane.terminal, keys);
    return { type: 'ok' };
  },
  // Only in herdr 0.6.8: text without Enter.
  'agent.send': async (session, params) => {
    const pane = needAgent(session, String(params['target']));
    await session.parts.terminals.write(pane.terminal, Buffer.from(String(params['text'])));
    return { type: 'ok' };
  },
  'agent.start': (session, params) =>
    session.parts.profile.isOld ? startArgv(session, params) : startKind(session, params),
};

/** Types the command into the pane's shell and answers at once; whether it came up is for the caller to find out. */
async function startKind(session: Session, params: Json): Promise<Json> {
  const kind = String(params['kind']);
  const name = String(params['name']);
  if (!kinds.includes(kind)) {
    throw new ApiError('unsupported_agent_kind', `unsupported agent kind ${kind}`);
  }
  checkName(session, name);
  const pane = needPane(session, String(params['pane_id']));
  if (pane.agent || foregroundGroup(pane.terminal.pid) !== pane.terminal.pid) {
    throw new ApiError('agent_pane_busy', 'the pane runs something already');
  }
  const argv = [kind, ...listOf(params, 'args')];
  pane.agent = newHosted(kind, { name, isLaunching: true });
  const line = argv.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ');
  await session.parts.terminals.write(pane.terminal, Buffer.from(`${line}\r`));
  return { type: 'agent_started', agent: agentInfo(session, pane), argv };
}

/** herdr 0.6.8: a pane of its own, which runs the command without a shell. */
async function startArgv(session: Session, params: Json): Promise<Json> {
  const argv = listOf(params, 'argv');
  const name = String(params['name']);
  if (argv.length === 0) throw new ApiError('invalid_agent_argv', 'argv must not be empty');
  checkName(session, name);
  const tabId = textOf(params, 'tab_id');
  const workspaceId = textOf(params, 'workspace_id');
  const workspace =
    workspaceId === undefined ? session.active : needWorkspace(session, workspaceId);
  if (!workspace) throw new ApiError('workspace_not_found', 'no active workspace');
  const tab = tabId === undefined ? workspace.activeTab : needTab(session, tabId);
  const direction = params['split'] === 'down' ? 'down' : 'right';
  const wish = { ...wishOf(params), argv };
  const pane = await session.splitPane(tab.focusedPane, { direction, ratio: 0.5 }, wish);
  session.announcePane(pane, params['focus'] === true);
  pane.agent = newHosted(name, { name, isReady: true });
  const workspace_id = pane.workspace.id;
  session.emit('pane_agent_detected', {
    pane_id: session.ids.pane(pane),
    workspace_id,
    agent: name,
  });
  return { type: 'agent_started', agent: agentInfo(session, pane), argv };
}

/** The text now, Enter 300 ms later; with `wait`, the answer comes when the turn is over. */
export async function promptAgent(session: Session, request: Request, peer: Peer) {
  const { params } = request;
  const text = String(params['text']);
  if (text.trim() === '') throw new ApiError('empty_agent_prompt', 'the prompt is empty');
  const pane = needAgent(session, String(params['target']));
  const wait = params['wait'] as Json | undefined;
  const changes = pane.agent?.changes ?? 0;
  const wasWorking = pane.agent?.state === 'working';
  await session.parts.terminals.input(pane.terminal, text, Buffer.alloc(0));
  await delay(300);
  await session.parts.terminals.write(pane.terminal, Buffer.from('\r'));
  if (!wait) return { type: 'agent_prompted', agent: agentInfo(session, pane) };
  // Not yet idle *again*: a state that was there before the prompt does not count.
  const deadline = performance.now() + stallMs;
  while (!wasWorking && pane.agent && pane.agent.changes === changes) {
    if (performance.now() > deadline) {
      throw new ApiError('agent_prompt_stalled', 'the agent did not react to the prompt');
    }
    await delay(50);
  }
  const done = await waitForStatus(session, pane, wait, peer);
  return done && { ...done, type: 'agent_prompted' };
}

const stallMs = 5_000;

function checkName(session: Session, name: string): void {
  if (!/^[a-z][a-z0-9_-]{0,31}$/.test(name)) {
    throw new ApiError('invalid_agent_name', `invalid agent name ${name}`);
  }
  if (session.panes.some(({ agent }) => agent?.name === name)) {
    throw new ApiError('agent_name_taken', `agent name ${name} is taken`);
  }
}

function info(session: Session, pane: Pane): Json {
  return { type: 'agent_info', agent: agentInfo(session, pane) };
}
