import { isOfficial, newHosted, type State, statusOf } from '../model/hosted-agent.ts';
import { needPane } from '../model/lookup.ts';
import type { Pane } from '../model/panes.ts';
import { paneInfo } from '../model/records.ts';
import type { Session } from '../model/session.ts';
import { ApiError } from '../wire/api-error.ts';
import type { Json } from '../wire/json.ts';
import { mapOf, numberOf, textOf } from '../wire/request-shapes.ts';
import type { Method } from './workspaces.ts';

/** What hooks and integrations tell about a pane. What is ignored is answered with `ok` like everything else. */
export const reportMethods: Readonly<Record<string, Method>> = {
  'pane.report_agent': (session, params) => {
    const pane = needPane(session, String(params['pane_id']));
    const label = labelOf(params);
    if (!isFresh(pane, params)) return ok;
    if (pane.agent?.isDetected && pane.agent.label !== label) return ok;
    if (pane.isMuted && session.parts.profile.has('session-first-mutes')) return ok;
    host(session, pane, label, String(params['source']));
    const told = sessionOf(params, label);
    if (pane.agent && told) pane.agent.session = told;
    setState(session, pane, params['state'] as State);
    return ok;
  },
  'pane.report_agent_session': (session, params) => {
    const pane = needPane(session, String(params['pane_id']));
    const label = labelOf(params);
    if (!isFresh(pane, params)) return ok;
    if (!pane.agent) pane.isMuted = true;
    else if (pane.agent.label === label) pane.agent.session = sessionOf(params, label);
    return ok;
  },
  'pane.release_agent': (session, params) => {
    const pane = needPane(session, String(params['pane_id']));
    const label = labelOf(params);
    if (!isFresh(pane, params) || pane.agent?.label !== label) return ok;
    // An official pair ends with its process, not with what its hook says.
    if (!isOfficial(String(params['source']), label)) session.releaseAgent(pane);
    return ok;
  },
  'pane.clear_agent_authority': (session, params) => {
    const pane = needPane(session, String(params['pane_id']));
    pane.isMuted = false;
    if (pane.agent && !pane.agent.isDetected) session.releaseAgent(pane);
    return ok;
  },
  'pane.report_metadata': (session, params) => {
    const pane = needPane(session, String(params['pane_id']));
    if (!isFresh(pane, params)) return ok;
    pane.title = params['clear_title'] ? undefined : (textOf(params, 'title') ?? pane.title);
    pane.displayAgent = params['clear_display_agent']
      ? undefined
      : (textOf(params, 'display_agent') ?? pane.displayAgent);
    const labels = params['clear_state_labels'] ? {} : pane.stateLabels;
    pane.stateLabels = { ...labels, ...mapOf(params, 'state_labels') };
    const tokens = { ...pane.tokens, ...mapOf(params, 'tokens') };
    pane.tokens = Object.fromEntries(Object.entries(tokens).filter(([, value]) => value !== null));
    pane.revision++;
    if (!session.parts.profile.isOld)
      session.emit('pane_updated', { pane: paneInfo(session, pane) });
    session.emitStatus(pane);
    return ok;
  },
};

const ok = { type: 'ok' };

/** Another agent than before is announced; its name went with the old one. */
export function host(session: Session, pane: Pane, label: string, source: string): void {
  if (pane.agent?.label === label) return;
  pane.agent = newHosted(label, { source });
  const workspace_id = pane.workspace.id;
  session.emit('pane_agent_detected', {
    pane_id: session.ids.pane(pane),
    workspace_id,
    agent: label,
  });
}

/** Whoever finishes where nobody looks is `done` until somebody does. */
export function setState(session: Session, pane: Pane, state: State): void {
  const { agent } = pane;
  if (!agent) return;
  const before = statusOf(agent);
  const isEnd = state === 'idle' && (agent.state === 'working' || agent.state === 'blocked');
  if (state !== agent.state) agent.changes++;
  if (isEnd) agent.isSeen = session.active?.activeTab === pane.tab;
  else if (state !== 'idle') agent.isSeen = true;
  agent.state = state;
  if (statusOf(agent) !== before) session.emitStatus(pane);
}

/** A report that is older than one already taken from the same source is dropped. */
function isFresh(pane: Pane, params: Json): boolean {
  const sequence = numberOf(params, 'seq');
  const source = String(params['source']);
  if (sequence === undefined) return true;
  if (sequence <= (pane.sequences.get(source) ?? -1)) return false;
  pane.sequences.set(source, sequence);
  return true;
}

function labelOf(params: Json): string {
  const label = String(params['agent']).trim();
  if (label === '') throw new ApiError('invalid_agent', 'agent must not be empty');
  return label;
}

function sessionOf(params: Json, agent: string): Json | undefined {
  const source = String(params['source']);
  const id = textOf(params, 'agent_session_id');
  if (id !== undefined) return { source, agent, kind: 'id', value: id };
  const path = textOf(params, 'agent_session_path');
  return path === undefined ? undefined : { source, agent, kind: 'path', value: path };
}
