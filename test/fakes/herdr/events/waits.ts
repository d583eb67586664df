import { compile, findMatch, readPane } from '../methods/read-pane.ts';
import { statusOf } from '../model/hosted-agent.ts';
import { needAgent, needPane } from '../model/lookup.ts';
import type { Pane } from '../model/panes.ts';
import { agentInfo } from '../model/records.ts';
import type { Session } from '../model/session.ts';
import { ApiError, notFound } from '../wire/api-error.ts';
import { type Peer, pollMs } from '../wire/connections.ts';
import type { Json } from '../wire/json.ts';
import { listOf, numberOf } from '../wire/request-shapes.ts';
import type { Request } from '../wire/requests.ts';

/** Looks every 100 ms until it has a result, the time is up, or the peer has gone. */
async function waitFor(
  peer: Peer,
  wish: { readonly timeoutMs: number | undefined; readonly timedOut: string },
  look: () => Promise<Json | undefined>,
): Promise<Json | undefined> {
  let wake = () => {};
  let isGone = false;
  peer.keepOpen(() => {
    isGone = true;
    wake();
  });
  const startedAt = performance.now();
  for (;;) {
    const found = await look();
    if (found || isGone) return found;
    if (wish.timeoutMs !== undefined && performance.now() - startedAt >= wish.timeoutMs) {
      throw new ApiError('timeout', wish.timedOut);
    }
    await new Promise<void>((done) => {
      const timer = setTimeout(done, pollMs);
      wake = () => {
        clearTimeout(timer);
        done();
      };
    });
  }
}

/** What is on the screen already counts. */
export async function waitForOutput(session: Session, { params }: Request, peer: Peer) {
  const pane = needPane(session, String(params['pane_id']));
  const id = String(params['pane_id']);
  const match = params['match'] as Json;
  if (match['type'] === 'regex') compile(String(match['value']));
  // `recent` would break a match at the edge of the screen: herdr joins wrapped lines here.
  const source = params['source'] === 'recent' ? 'recent_unwrapped' : params['source'];
  const timedOut = 'timed out waiting for output match';
  return waitFor(peer, { timeoutMs: numberOf(params, 'timeout_ms'), timedOut }, async () => {
    if (!session.panes.includes(pane)) throw notFound('pane', id);
    const read = await readPane(session, pane, { ...params, source });
    const found = findMatch(String(read['text']), match);
    if (!found) return undefined;
    const pane_id = session.ids.pane(pane);
    return { type: 'output_matched', pane_id, revision: 0, matched_line: found.line, read };
  });
}

export async function waitForEvent(session: Session, { params }: Request, peer: Peer) {
  const match = params['match_event'] as Json;
  if (match['event'] !== 'pane_agent_status_changed') {
    throw new ApiError('unsupported_event_wait_match', 'this event cannot be waited for');
  }
  const id = String(match['pane_id']);
  const pane = needPane(session, id);
  const timedOut = 'timed out waiting for event match';
  return waitFor(peer, { timeoutMs: numberOf(params, 'timeout_ms'), timedOut }, async () => {
    if (!session.panes.includes(pane)) throw notFound('pane', id);
    const agent_status = statusOf(pane.agent);
    if (agent_status !== match['agent_status']) return undefined;
    const data = {
      type: 'pane_agent_status_changed',
      pane_id: session.ids.pane(pane),
      workspace_id: pane.workspace.id,
      agent_status,
      ...(pane.agent ? { agent: pane.agent.label } : {}),
    };
    return { type: 'wait_matched', event: { event: 'pane_agent_status_changed', data } };
  });
}

export async function waitForAgent(session: Session, { params }: Request, peer: Peer) {
  const pane = needAgent(session, String(params['target']));
  return waitForStatus(session, pane, params, peer);
}

export async function waitForStatus(session: Session, pane: Pane, params: Json, peer: Peer) {
  const until = listOf(params, 'until');
  const wanted = until.length > 0 ? until : ['idle', 'done', 'blocked'];
  const timedOut = 'timed out waiting for agent status';
  return waitFor(peer, { timeoutMs: numberOf(params, 'timeout_ms'), timedOut }, async () => {
    if (!pane.agent || !session.panes.includes(pane)) {
      throw new ApiError('agent_not_running', 'the agent is no longer running');
    }
    if (!wanted.includes(statusOf(pane.agent))) return undefined;
    return { type: 'agent_info', agent: agentInfo(session, pane) };
  });
}
