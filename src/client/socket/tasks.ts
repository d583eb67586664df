import type { AnswerView, TaskRequest, TaskView } from '../../protocol/tasks.ts';
import { systemClock } from '../../shared/clock.ts';
import { Fault } from '../../shared/fault.ts';
import type { DaemonLink } from './daemon-link.ts';
import { readText } from './http.ts';

/** One wait; longer ones are asked for again. */
const longestMs = 3_600_000;
/** After the daemon went away in the middle of a wait; longer each time that none can be had. */
const againMs = 500;
const longestAgainMs = 8000;

export function giveTask(link: DaemonLink, body: TaskRequest): Promise<TaskView> {
  return link.ask({ method: 'POST', path: '/tasks', body, isSlow: true });
}

/**
 * Waits for the answer in one request, however long it takes. A daemon that is restarted meanwhile
 * is asked again: what settles the debt in between comes as a message, and the next answer says so.
 */
export async function awaitAnswer(
  link: DaemonLink,
  task: string,
  timeoutMs: number,
): Promise<AnswerView> {
  const endsAtMs = systemClock.monotonicMs() + timeoutMs;
  for (let pauseMs = againMs; ; ) {
    const leftMs = Math.max(0, endsAtMs - systemClock.monotonicMs());
    const query = `timeoutMs=${Math.ceil(Math.min(leftMs, longestMs))}`;
    const path = `/tasks/${encodeURIComponent(task)}/answer?${query}`;
    const answer = await askOnce(link, path).catch((error: unknown) => {
      if (error instanceof Fault && error.code === 'daemon-unavailable' && leftMs > 0) return;
      throw error;
    });
    const isOver = systemClock.monotonicMs() >= endsAtMs;
    if (answer && (answer.outcome !== 'pending' || isOver)) return answer;
    if (!answer) await systemClock.sleep(Math.min(pauseMs, leftMs));
    pauseMs = answer ? againMs : Math.min(pauseMs * 2, longestAgainMs);
  }
}

/** It was printed. Too late, and it is offered again: nothing is lost by that. */
export async function confirmHandOver(link: DaemonLink, id: string): Promise<void> {
  await link.ask({ method: 'POST', path: `/hand-overs/${encodeURIComponent(id)}` });
}

async function askOnce(link: DaemonLink, path: string): Promise<AnswerView | undefined> {
  const end = new AbortController();
  try {
    const response = await link.open({ method: 'GET', path }, end.signal);
    return JSON.parse(await readText(response)) as AnswerView;
  } catch (error) {
    if (error instanceof Fault) throw error;
    // The connection broke, or the answer with it.
    return undefined;
  } finally {
    end.abort();
  }
}
