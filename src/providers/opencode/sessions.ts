import { asArray, asObject, asText, type Json } from '../../shared/json.ts';
import { describeFailure } from '../failure-detail.ts';
import type { OwnState } from '../provider.ts';

/**
 * What the sessions of one OpenCode do, as its server tells. It has one per conversation and one
 * per sub-agent; which of them the terminal shows it does not tell, but the one that was last
 * created or given a prompt is it (1.18.33).
 */
export interface Sessions {
  /** Those that work; `retry` after a failure of the model's API. */
  readonly busy: ReadonlyMap<string, 'busy' | 'retry'>;
  /** Open questions to the person, by their id. */
  readonly questions: ReadonlyMap<string, Question>;
  /** Sessions of sub-agents: never the agent's own conversation (rule 38). */
  readonly children: ReadonlySet<string>;
  readonly current: string | undefined;
  /** How the last turn of the current one failed. */
  readonly failure: string | undefined;
}

interface Question {
  readonly session: string;
  readonly detail: 'permission' | 'question';
}

export function createSessions(current: string | undefined): Sessions {
  const nothing = { busy: new Map(), questions: new Map(), children: new Set<string>() };
  return { ...nothing, current, failure: undefined };
}

/** The state after one event; the very same one when it says nothing new. */
export function applyEvent(sessions: Sessions, event: Json): Sessions {
  const said = asObject(event['properties']);
  const session = asText(said['sessionID']);
  switch (event['type']) {
    case 'session.created':
    case 'session.updated':
      return learn(sessions, asObject(said['info']), event['type'] === 'session.created');
    case 'session.status':
      return session === undefined ? sessions : change(sessions, session, asObject(said['status']));
    case 'session.deleted':
      return forget(sessions, session ?? asText(asObject(said['info'])['id']));
    case 'session.error':
      return fail(sessions, session, asObject(said['error']));
    case 'permission.asked':
      return ask(sessions, said, 'permission');
    case 'question.asked':
      return ask(sessions, said, 'question');
    case 'permission.replied':
    case 'question.replied':
    case 'question.rejected':
      return answer(sessions, asText(said['requestID']));
    default:
      return sessions;
  }
}

/**
 * What is true now, from `/session/status`, `/permission` and `/question`: events may have been
 * missed.
 */
export function applySurvey(
  before: Sessions,
  told: {
    readonly status: unknown;
    readonly permissions: unknown;
    readonly questions: unknown;
  },
): Sessions {
  const { status, permissions, questions } = told;
  let sessions: Sessions = { ...before, busy: new Map(), questions: new Map() };
  for (const [id, said] of Object.entries(asObject(status))) {
    sessions = change(sessions, id, asObject(said));
  }
  for (const asked of asArray(permissions)) sessions = ask(sessions, asObject(asked), 'permission');
  for (const asked of asArray(questions)) sessions = ask(sessions, asObject(asked), 'question');
  return sessions;
}

export function describeSessions({ busy, questions, current, failure }: Sessions): OwnState {
  const conversation = current === undefined ? {} : { conversation: current };
  const [question] = questions.values();
  if (question) return { report: { status: 'waiting', detail: question.detail }, ...conversation };
  if (busy.size > 0) {
    const isRetrying = [...busy.values()].includes('retry');
    const detail = isRetrying ? { detail: 'retrying' } : {};
    return { report: { status: 'processing', ...detail }, ...conversation };
  }
  if (failure !== undefined) {
    return { report: { status: 'error', detail: failure }, ...conversation };
  }
  return { report: { status: 'idle' }, ...conversation };
}

function learn(sessions: Sessions, info: Json, isNew: boolean): Sessions {
  const id = asText(info['id']);
  if (id === undefined) return sessions;
  if (asText(info['parentID']) !== undefined) {
    return { ...sessions, children: new Set([...sessions.children, id]) };
  }
  return isNew ? show(sessions, id) : sessions;
}

function change(sessions: Sessions, id: string, status: Json): Sessions {
  const busy = new Map(sessions.busy);
  const type = status['type'];
  if (type === 'busy' || type === 'retry') {
    // It says so again and again; only the first word begins a turn, and only a turn of a
    // conversation brings it to the fore.
    const isTurn = !sessions.busy.has(id) && !sessions.children.has(id);
    busy.set(id, type);
    return isTurn ? { ...show(sessions, id), busy, failure: undefined } : { ...sessions, busy };
  }
  busy.delete(id);
  // A question ends with the turn that asked it; an abort does not always say so.
  const questions = new Map([...sessions.questions].filter(([, { session }]) => session !== id));
  return { ...sessions, busy, questions };
}

function show(sessions: Sessions, id: string): Sessions {
  return sessions.current === id ? sessions : { ...sessions, current: id, failure: undefined };
}

function forget(sessions: Sessions, id: string | undefined): Sessions {
  if (id === undefined) return sessions;
  const left = change(sessions, id, {});
  return left.current === id ? { ...left, current: undefined, failure: undefined } : left;
}

function fail(sessions: Sessions, id: string | undefined, error: Json): Sessions {
  if (id === undefined || id !== sessions.current) return sessions;
  // A person broke it off: an end like any other.
  if (error['name'] === 'MessageAbortedError') return { ...sessions, failure: undefined };
  const words = asText(asObject(error['data'])['message']) ?? asText(error['name']);
  return { ...sessions, failure: describeFailure(words) };
}

function ask(sessions: Sessions, asked: Json, detail: Question['detail']): Sessions {
  const id = asText(asked['id']);
  const session = asText(asked['sessionID']);
  if (id === undefined || session === undefined) return sessions;
  return { ...sessions, questions: new Map(sessions.questions).set(id, { session, detail }) };
}

function answer(sessions: Sessions, id: string | undefined): Sessions {
  if (id === undefined || !sessions.questions.has(id)) return sessions;
  const questions = new Map(sessions.questions);
  questions.delete(id);
  return { ...sessions, questions };
}
