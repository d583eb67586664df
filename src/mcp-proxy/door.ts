import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { type Answer, call } from '../client/socket/http.ts';
import { daemonInfoPath, findFolders } from '../config/folders.ts';
import { requireOwnFolder, requireOwnSocket } from '../config/own-folder.ts';
import { headers } from '../protocol/daemon.ts';
import { createSecret } from '../shared/ids.ts';

/**
 * The daemon as the proxy sees it: a new connection for each call, so that it is found again after
 * every restart.
 */
export interface Door {
  /**
   * The head of the answer. While nobody listens it is tried again for `patienceMs`: nothing was
   * asked. `isRepeatable`: also after a connection that broke.
   */
  ask(body: unknown, how: How, signal: AbortSignal): Promise<Answer>;
  /** What was handed over under this id has been printed. */
  confirm(id: string): Promise<void>;
  /**
   * A call was cancelled: what it was handed may have been thrown away, also what was confirmed.
   */
  cancel(notification: unknown): Promise<void>;
}

export interface How {
  readonly patienceMs: number;
  readonly isRepeatable: boolean;
}

const pauseMs = 100;
/**
 * The head of an answer comes at once, and then something every 10 s: a daemon that is silent for
 * so long hangs.
 */
const silenceMs = 45_000;
const confirmMs = 10_000;

export function openDoor(env: NodeJS.ProcessEnv): Door {
  const { SIGNALBOX_TOKEN: token, SIGNALBOX_AGENT: agent } = env;
  const identity: Record<string, string> = {
    accept: 'application/json, text/event-stream',
    [headers.handOver]: 'confirmed',
    [headers.client]: createSecret('proxy'),
    ...(token ? { authorization: `Bearer ${token}` } : {}),
  };
  const post = async (path: string, body: unknown, signal: AbortSignal): Promise<Answer> => {
    const socket = findSocket(env);
    if (socket === undefined) return { outcome: 'refused' };
    requireOwnSocket(socket);
    const mine = { agent: agent || undefined, headers: identity };
    return call({ socket, method: 'POST', path, body, ...mine }, signal);
  };
  return {
    ask: async (body, { patienceMs, isRepeatable }, signal) => {
      for (let leftMs = patienceMs; ; leftMs -= pauseMs) {
        const answer = await postInTime((any) => post('/mcp', body, any), signal);
        const mayRepeat =
          answer.outcome === 'refused' || (answer.outcome === 'broken' && isRepeatable);
        if (!mayRepeat || leftMs <= 0 || signal.aborted) return answer;
        // Ended by the signal, which the next round sees.
        await delay(pauseMs, undefined, { signal }).catch(() => undefined);
      }
    },
    confirm: async (id) => {
      const path = `/hand-overs/${encodeURIComponent(id)}`;
      const answer = await post(path, {}, AbortSignal.timeout(confirmMs));
      // Not taken: it is handed out once more, marked.
      if (answer.outcome === 'answered') answer.response.resume();
    },
    cancel: async (notification) => {
      const answer = await post('/mcp', notification, AbortSignal.timeout(confirmMs));
      if (answer.outcome === 'answered') answer.response.resume();
      // A daemon that has not heard it must not take our next call for a sign that we have read
      // everything (rule 17).
      else identity[headers.client] = createSecret('proxy');
    },
  };
}

async function postInTime(
  post: (signal: AbortSignal) => Promise<Answer>,
  signal: AbortSignal,
): Promise<Answer> {
  const silence = new AbortController();
  const timer = setTimeout(() => silence.abort(), silenceMs);
  const answer = await post(AbortSignal.any([signal, silence.signal]));
  clearTimeout(timer);
  if (answer.outcome === 'answered') {
    const { response } = answer;
    response.setTimeout(silenceMs, () => response.destroy());
  }
  return answer;
}

/** What the agent was started with; else where the daemon of these folders says it is. */
function findSocket(env: NodeJS.ProcessEnv): string | undefined {
  if (env['SIGNALBOX_SOCKET']) return env['SIGNALBOX_SOCKET'];
  requireOwnFolder(findFolders(env));
  try {
    const { socket } = JSON.parse(readFileSync(daemonInfoPath(findFolders(env)), 'utf8'));
    return typeof socket === 'string' ? socket : undefined;
  } catch {
    // No daemon has written it, or not to its end yet.
    return undefined;
  }
}
