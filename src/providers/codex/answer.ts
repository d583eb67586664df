import { systemClock } from '../../shared/clock.ts';
import { asArray, asObject, asText, type Json } from '../../shared/json.ts';
import { reportBug } from '../../shared/report-bug.ts';
import { cutAnswer } from '../cut-answer.ts';
import type { AgentContext, Answer } from '../provider.ts';
import { AppServer, appServerSocket } from './app-server.ts';
import { findRollout, readRollout } from './rollout.ts';

/**
 * From the app-server, which keeps an index of its threads; from the rollout file when there is no
 * server.
 */
export async function readLastAnswer(
  context: AgentContext,
  signal: AbortSignal,
): Promise<Answer | undefined> {
  const { conversation, runFolder, env } = context;
  if (conversation === undefined) return undefined;
  const told = await askServer(appServerSocket(runFolder), conversation).catch((error) =>
    reportBug("asking Codex's app-server for an answer", error),
  );
  if (told) return told;
  const path = await findRollout(env, conversation);
  return path === undefined ? undefined : await readRollout(path, signal);
}

async function askServer(path: string, threadId: string): Promise<Answer | undefined> {
  const ignore = { notification: () => undefined, closed: () => undefined };
  const server = await AppServer.connect(path, ignore);
  try {
    for (let tries = 0; ; tries++) {
      const { thread } = await server.request('thread/read', { threadId });
      // The newest turn may have said nothing yet; then the one before it has the last answer.
      const { data } = await server.request('thread/turns/list', {
        threadId,
        limit: 2,
        sortDirection: 'desc',
        itemsView: 'summary',
      });
      const turns = asArray(data).map(asObject);
      // Of a turn that has just ended the index hears some 100 ms after the status: its answer is
      // on the way.
      const isLate = turns[0]?.['status'] === 'inProgress' && !isThreadActive(asObject(thread));
      if (!isLate || tries === maxTries) return chooseAnswer(turns);
      await systemClock.sleep(retryMs);
    }
  } finally {
    server.close();
  }
}

const retryMs = 50;
const maxTries = 40;

function isThreadActive(thread: Json): boolean {
  return asObject(thread['status'])['type'] === 'active';
}

/** Newest turn first. */
export function chooseAnswer(turns: readonly Json[]): Answer | undefined {
  for (const [i, turn] of turns.entries()) {
    const isRunning = turn['status'] === 'inProgress';
    const texts = asArray(turn['items'])
      .map(asObject)
      .filter((item) => item['type'] === 'agentMessage')
      .map((item) => asText(item['text']) ?? '');
    const text = texts.findLast((words) => words !== '');
    const earlier = i > 0 ? { isEarlier: true as const } : {};
    if (text !== undefined) return { kind: 'answer', text, isPartial: isRunning, ...earlier };
    // Codex keeps no words of an answer that was broken off; the screen may.
    if (turn['status'] === 'interrupted') return undefined;
    if (!isRunning) return { kind: 'no-response' };
  }
  return undefined;
}

export function cutLastAnswer(text: string): Answer | undefined {
  return cutAnswer(text, {
    prompt: /^› (?!Ask Codex to do anything)\S/,
    block: /^[•■✔✗] /,
    isNoAnswer:
      /^(?:[■✔✗]|• (?:Ran|Running|Working|Exited|Explored|Edited|Added|Called|Reconnecting)\b)/,
    end: /^ {2}(?:Worked for |└ Tip: )|^› |^─{8,}/,
    result: /^ {2}└ (?!Tip: )/,
    busy: /^• Working|esc to interrupt/,
  });
}
