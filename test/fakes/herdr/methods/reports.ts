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
 * What hooks and integrations tell about the agent in a pane. What is ignored is answered with `ok`
 * like everything else. A report of one's own source counts for more than what herdr sees by
 * itself, unless an official integration has told of a session in this pane: then nobody else is
 * heard, and what was heard before stays (H12).
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
      pane.hosted.session = told ?? pane.hosted.session;
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
    const isSame = hosted.session?.['value'] === told['value'];
    const isOthers = hosted.session !== undefined && !isOwnSession(pane, pair);
    const mayReplace = isOthers ? isStart && hosted.detected === pair.label : isSame || isStart;
    if (hosted.session && !mayReplace) return ok;
    changeAgent(session, pane, () => {
      hosted.session = told;
      if (isStart) hosted.begun = told['value'];
    });
    return ok;
  },
  /**
   * Where its process still runs, only what was told goes, and herdr's eyes are not told to look
   * again (H7).
   */
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
      const { detected } = hosted;
      if (session.parts.profile.has('missed-end')) hosted.unwatched = detected;
      if (detected === pair.label) return;
      hosted.forgetName();
      if (session.parts.profile.has('missed-end')) hosted.detected = undefined;
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
  if (isFull(pair) && !isBegun(session, pane, pair, told)) return false;
  if (!isFull(pair) && pane.hosted.exited === pair.label) return false;
  return !isOtherKind(pane, pair) && !isOthersSession(session, pane, pair);
}

/**
 * Such a report needs a session, one whose start was told, and it counts with the process alone
 * (H6).
 */
function isBegun(session: Session, pane: Pane, pair: Pair, told: Json | undefined): boolean {
  const own = isOwnSession(pane, pair) ? pane.hosted.session : undefined;
  if (!session.parts.profile.has('session-before-state')) return (told ?? own) !== undefined;
  const value = (told ?? own)?.['value'];
  return value !== undefined && value === pane.hosted.begun;
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
