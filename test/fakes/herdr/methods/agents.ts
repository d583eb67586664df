import { setTimeout as delay } from 'node:timers/promises';
import { waitForStatus } from '../events/waits.ts';
import { kinds } from '../model/hosted-agent.ts';
import { spawning } from '../model/launch.ts';
import { needAgent, needPane } from '../model/lookup.ts';
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
import type { Method } from './workspaces.ts';

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
  'agent.rename': (session, params) => {
    const pane = needAgent(session, String(params['target']));
    const name = textOf(params, 'name');
    if (name !== undefined) checkName(session, name);
    pane.hosted.name = name;
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

/**
 * Types the command into the pane's shell and answers at once; whether it came up is for the caller
 * to find out.
 */
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
  pane.hosted.name = name;
  pane.hosted.isLaunching = true;
  const line = argv.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ');
  await session.parts.terminals.write(pane.terminal, Buffer.from(`${line}\r`));
  return { type: 'agent_started', agent: agentInfo(session, pane), argv };
}

/**
 * herdr 0.6.8: a pane of its own beside the focused one, which runs the command without a shell;
 * where there is no workspace at all, a workspace of its own. No event tells of it, and its kind is
 * known when its process has been seen.
 */
async function startArgv(session: Session, params: Json): Promise<Json> {
  const argv = listOf(params, 'argv');
  const name = String(params['name']).trim();
  if (name === '') throw new ApiError('invalid_agent_name', 'agent name must not be empty');
  if (argv.length === 0) {
    throw new ApiError('invalid_agent_argv', 'agent start argv must not be empty');
  }
  checkFree(session, name);
  const cwd = textOf(params, 'cwd') ?? process.cwd();
  const focus = params['focus'] === true;
  const target = placeOf(session, params);
  const direction = params['split'] === 'down' ? 'down' : 'right';
  const pane = await spawning('agent_start_failed', async () =>
    target
      ? session.splitPane(target, { direction, ratio: 0.5 }, { cwd, argv })
      : (await session.addWorkspace({ cwd, argv })).pane,
  );
  pane.label = name;
  pane.hosted.name = name;
  if (focus || !session.active) session.show(pane);
  session.settle();
  return { type: 'agent_started', agent: agentInfo(session, pane), argv };
}

/** The pane that is split, or none where there is nothing yet. */
function placeOf(session: Session, params: Json): Pane | undefined {
  const need = <T>(found: T | undefined, target: string): T => {
    if (found !== undefined) return found;
    const message = `agent placement target ${target} not found`;
    throw new ApiError('agent_placement_not_found', message);
  };
  const { ids, workspaces } = session;
  const tabId = textOf(params, 'tab_id');
  const workspaceId = textOf(params, 'workspace_id');
  const tab = tabId === undefined ? undefined : need(ids.findTab(workspaces, tabId), tabId);
  const workspace =
    workspaceId === undefined
      ? undefined
      : need(ids.findWorkspace(workspaces, workspaceId), workspaceId);
  if (tab && workspace && tab.workspace !== workspace) {
    throw new ApiError('agent_placement_conflict', '--tab must belong to --workspace');
  }
  return (tab ?? (workspace ?? session.active ?? workspaces[0])?.activeTab)?.focusedPane;
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
  checkFree(session, name);
}

function checkFree(session: Session, name: string): void {
  if (session.panes.some(({ agent }) => agent?.name === name)) {
    throw new ApiError('agent_name_taken', `agent name ${name} is taken`);
  }
}

function info(session: Session, pane: Pane): Json {
  return { type: 'agent_info', agent: agentInfo(session, pane) };
}
