import { changeAgent } from '../model/agent-changes.ts';
import { isFull, isOfficial, isStateRefused, kinds, type State } from '../model/hosted-agent.ts';
import { needPane } from '../model/lookup.ts';
import type { Pane } from '../model/panes.ts';
import type { Session } from '../model/session.ts';
import { ApiError } from '../wire/api-error.ts';
import type { Json } from '../wire/json.ts';
import { numberOf, textOf } from '../wire/request-shapes.ts';
import type { Method } from './workspaces.ts';

/**
 * What hooks and integrations tell about the agent in a pane. What is ignored is answered with `ok` like everything else. A
 * report of one's own source counts for more than what herdr sees by itself, unless an official integration has told of a
 * session in this pane: then nobody else is heard.
 */
export const reportMethods: Readonly<Record<string, Method>> = {
  'pane.report_agent': (session, params) => {
    const pane = needPane(session, String(params['pane_id']));
    const pair = pairOf(params);
    const told = sessionOf(params, pair);
    if (!isStateHeard(session, pane, pair, told)) return ok;
    if (!pane.hosted.accept(pair.source, numberOf(params, 'seq'))) return ok;
    changeAgent(session, pane, () => {
      pane.hosted.authority = { ...pair, state: params['state'] as State };
      pane.hosted.session = told;
    });
    return ok;
  },
  'pane.report_agent_session': (session, params) => {
    const pane = needPane(session, String(params['pane_id']));
    const pair = pairOf(params);
    const told = sessionOf(params, pair);
    const { hosted } = pane;
    if (!told || !hosted.accept(pair.source, numberOf(params, 'seq'))) return ok;
    if (isOtherKind(pane, pair)) return ok;
    const isStart = textOf(params, 'session_start_source') !== undefined;
    const isTakeover = isStart && hosted.detected === pair.label;
    const isSame = hosted.session?.['value'] === told['value'];
    if (
      isOthersSession(session, pane, pair) ? !isTakeover : hosted.session && !isSame && !isStart
    ) {
      return ok;
    }
    changeAgent(session, pane, () => {
      if (isTakeover && hosted.authority?.source !== pair.source) hosted.authority = undefined;
      hosted.session = told;
    });
    return ok;
  },
  /** Where its process still runs, only what was told goes. */
  'pane.release_agent': (session, params) => {
    const pane = needPane(session, String(params['pane_id']));
    const pair = pairOf(params);
    const { hosted } = pane;
    const { authority } = hosted;
    if (authority && (authority.source !== pair.source || authority.label !== pair.label))
      return ok;
    if (hosted.label !== pair.label && !isOwnSession(pane, pair)) return ok;
    if (!hosted.accept(pair.source, numberOf(params, 'seq'))) return ok;
    changeAgent(session, pane, () => {
      hosted.authority = undefined;
      if (isOwnSession(pane, pair)) hosted.session = undefined;
      if (hosted.detected !== pair.label) hosted.forgetName();
    });
    return ok;
  },
  'pane.clear_agent_authority': (session, params) => {
    const pane = needPane(session, String(params['pane_id']));
    const { hosted } = pane;
    const source = hosted.authority?.source;
    if (source === undefined || source !== (textOf(params, 'source') ?? source)) return ok;
    if (!hosted.accept(source, numberOf(params, 'seq'))) return ok;
    changeAgent(session, pane, () => {
      hosted.authority = undefined;
      hosted.session = undefined;
    });
    return ok;
  },
};

const ok = { type: 'ok' };

interface Pair {
  readonly source: string;
  readonly label: string;
}

function isStateHeard(session: Session, pane: Pane, pair: Pair, told: Json | undefined): boolean {
  if (isStateRefused(pair, session.parts.profile.isOld)) return false;
  // herdr 0.8.0 holds such a report until the process is seen; here it needs a session, and counts with the process alone.
  if (isFull(pair) && !told && !isOwnSession(pane, pair)) return false;
  if (!isFull(pair) && pane.hosted.exited === pair.label) return false;
  return !isOtherKind(pane, pair) && !isOthersSession(session, pane, pair);
}

/** A known kind cannot be another known kind; a label of one's own conflicts with nothing. */
function isOtherKind({ hosted }: Pane, { label }: Pair): boolean {
  return kinds.includes(label) && hosted.detected !== undefined && hosted.detected !== label;
}

function isOwnSession({ hosted }: Pane, { source, label }: Pair): boolean {
  return hosted.session?.['source'] === source && hosted.session['agent'] === label;
}

function isOthersSession(session: Session, pane: Pane, pair: Pair): boolean {
  if (!session.parts.profile.has('session-mutes')) return false;
  return pane.hosted.session !== undefined && !isOwnSession(pane, pair);
}

function pairOf(params: Json): Pair {
  const label = String(params['agent']).trim();
  if (label === '') throw new ApiError('invalid_agent', 'agent must not be empty');
  return { source: String(params['source']), label };
}

/** Sessions are taken from official integrations alone, by id, or of two agents by path. */
function sessionOf(params: Json, pair: Pair): Json | undefined {
  if (!isOfficial(pair)) return undefined;
  const { source, label: agent } = pair;
  const path = textOf(params, 'agent_session_path');
  if (path !== undefined && (agent === 'pi' || agent === 'omp')) {
    return { source, agent, kind: 'path', value: path };
  }
  const id = textOf(params, 'agent_session_id');
  return id === undefined ? undefined : { source, agent, kind: 'id', value: id };
}
