import { subscribe } from './events/subscriptions.ts';
import { waitForAgent, waitForEvent, waitForOutput } from './events/waits.ts';
import { agentMethods, promptAgent } from './methods/agents.ts';
import { layoutMethods } from './methods/layouts.ts';
import { metadataMethods } from './methods/metadata.ts';
import { paneMethods } from './methods/panes.ts';
import { reportMethods } from './methods/reports.ts';
import { read } from './methods/scrolling-read.ts';
import { type Method, tabMethods, workspaceMethods } from './methods/workspaces.ts';
import { worktreeMethods } from './methods/worktrees.ts';
import { noticeTitles } from './model/pane-updates.ts';
import { agentInfo, layoutSnapshot, paneInfo, workspaceInfo } from './model/records.ts';
import type { Session } from './model/session.ts';
import { ApiError } from './wire/api-error.ts';
import type { Handler, Peer } from './wire/connections.ts';
import type { Json } from './wire/json.ts';
import { decodeRequest, type Request, Undecodable } from './wire/requests.ts';

/** Those that may take long; they look at the session from outside its queue. */
type Lasting = (session: Session, request: Request, peer: Peer) => Promise<Json | undefined>;

const lasting: Readonly<Record<string, Lasting>> = {
  'pane.read': read,
  'agent.read': read,
  'pane.wait_for_output': waitForOutput,
  'events.wait': waitForEvent,
  'agent.wait': waitForAgent,
  'agent.prompt': promptAgent,
};

const methods: Readonly<Record<string, Method>> = {
  ...workspaceMethods,
  ...worktreeMethods,
  ...tabMethods,
  ...paneMethods,
  ...layoutMethods,
  ...reportMethods,
  ...metadataMethods,
  ...agentMethods,
  'session.snapshot': (session) => ({ type: 'session_snapshot', snapshot: snapshot(session) }),
  // As with herdr's default configuration.
  'notification.show': () => ({ type: 'notification_show', shown: false, reason: 'disabled' }),
};

/** From a request line to what is written back. */
export function dispatcher(session: Session, stop: () => void): Handler {
  const { profile, counters } = session.parts;
  return (line, peer) => {
    let request: Request;
    try {
      request = decodeRequest(line, profile);
    } catch (error) {
      counters.notUnderstood();
      return answerUndecodable(session, error, peer);
    }
    counters.requested(request.method);
    peer.method = request.method;
    void handle(session, request, peer, stop).catch((error: unknown) => {
      if (error instanceof Undecodable) return answerUndecodable(session, error, peer);
      const isKnown = error instanceof ApiError;
      const code = isKnown ? error.code : 'internal_error';
      const message = error instanceof Error ? error.message : String(error);
      peer.answer({ id: request.id, error: { code, message } });
    });
  };
}

const tellsTitles = new Set([
  'session.snapshot',
  'pane.list',
  'pane.get',
  'agent.list',
  'agent.get',
]);

async function handle(
  session: Session,
  request: Request,
  peer: Peer,
  stop: () => void,
): Promise<void> {
  const { id, method, params } = request;
  const answer = (result: Json) => peer.answer({ id, result });
  // Answered beside the queue: it works while the session is busy.
  if (method === 'ping') return answer(pong(session));
  if (method === 'events.subscribe') return subscribe(session, request, peer);
  if (method === 'server.stop') {
    answer({ type: 'ok' });
    return stop();
  }
  const wait = lasting[method];
  if (wait) {
    const result = await wait(session, request, peer);
    if (result) answer(result);
    return;
  }
  const run = methods[method];
  if (!run) throw new ApiError('unsupported', `the fake has no ${method}`);
  if (tellsTitles.has(method)) await noticeTitles(session);
  answer(await session.exclusive(async () => run(session, params)));
}

function answerUndecodable(session: Session, error: unknown, peer: Peer): void {
  if (!(error instanceof Undecodable)) throw error;
  const id = session.parts.profile.has('empty-id') ? '' : error.id;
  const message = `invalid request: ${error.message}`;
  peer.answer({ id, error: { code: 'invalid_request', message } });
}

function pong(session: Session): Json {
  const { version, protocol, isOld } = session.parts.profile;
  const capabilities = isOld ? null : { live_handoff: true, detached_server_daemon: false };
  return { type: 'pong', version, protocol, capabilities };
}

function snapshot(session: Session): Json {
  const { version, protocol } = session.parts.profile;
  const pane = session.focusedPane;
  const tabs = session.workspaces.flatMap((workspace) => workspace.tabs);
  return {
    version,
    protocol,
    ...(pane
      ? {
          focused_workspace_id: pane.workspace.id,
          focused_tab_id: session.ids.tab(pane.tab),
          focused_pane_id: session.ids.pane(pane),
        }
      : {}),
    workspaces: session.workspaces.map((workspace) => workspaceInfo(session, workspace)),
    tabs: tabs.map((tab) => session.tabInfo(tab)),
    panes: session.panes.map((each) => paneInfo(session, each)),
    layouts: tabs.map((tab) => layoutSnapshot(session, tab)),
    agents: session.panes.filter(({ agent }) => agent).map((each) => agentInfo(session, each)),
  };
}
