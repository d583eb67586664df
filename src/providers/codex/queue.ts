import { asArray, asObject, asText } from '../../shared/json.ts';
import { reportBug } from '../../shared/report-bug.ts';
import { type AppServer, RequestFailure } from './app-server.ts';

export type QueueAnswer =
  | { readonly at: 'waiting'; readonly thread: string; readonly submission: string }
  /** Not in the queue, and nothing runs that could have taken it out. */
  | { readonly at: 'resting' }
  /** Not in the queue, but a turn runs: it may have begun with it. */
  | { readonly at: 'moving' }
  /** The server knows no such thread. */
  | { readonly at: 'nowhere' }
  | { readonly at: 'unasked' };

/** Its queue holds at most 100 (0.166.0). */
const mostPages = 10;

/** Whether a thread's queue holds a submission of ours, by the id that we gave it. */
export async function askQueue(
  server: AppServer,
  threadId: string,
  mark: string,
): Promise<QueueAnswer> {
  try {
    let cursor: string | undefined;
    for (let page = 0; page < mostPages; page++) {
      const answer = await server.request('thread/queue/list', {
        threadId,
        ...(cursor === undefined ? {} : { cursor }),
      });
      // A list in another shape is none.
      if (!Array.isArray(answer['data'])) return { at: 'unasked' };
      for (const entry of asArray(answer['data']).map(asObject)) {
        if (entry['clientUserMessageId'] === mark) {
          return { at: 'waiting', thread: threadId, submission: asText(entry['id']) ?? '?' };
        }
      }
      cursor = asText(answer['nextCursor']);
      if (cursor === undefined) return { at: await askActivity(server, threadId) };
    }
    return { at: 'unasked' };
  } catch (error) {
    reportBug("reading Codex's queue", error);
    const isRefused = error instanceof RequestFailure && error.kind === 'refused';
    return { at: isRefused ? 'nowhere' : 'unasked' };
  }
}

/**
 * Whether a server knows no queue at all. A method that it does not know it refuses with the names
 * of all that it does; any other answer, a refusal too, is of a server that has one. Undefined: it
 * did not answer.
 */
export async function lacksQueue(
  server: AppServer,
  threadId: string,
): Promise<boolean | undefined> {
  try {
    await server.request('thread/queue/list', { threadId });
    return false;
  } catch (error) {
    if (!(error instanceof RequestFailure)) throw error;
    return error.kind === 'refused' ? isUnknownMethod(error) : undefined;
  }
}

function isUnknownMethod({ code, message }: RequestFailure): boolean {
  return code === -32_601 || /unknown variant `thread\/queue\//.test(message);
}

/**
 * Takes a submission of ours out of a thread's queue, loaded or not (0.166.0). True only if the
 * server confirmed that it took it out, and its list no longer has it: from then on nobody can read
 * it there.
 */
export async function deleteFromQueue(
  server: AppServer,
  { thread, submission }: { readonly thread: string; readonly submission: string },
  mark: string,
): Promise<boolean> {
  try {
    const { deleted } = await server.request('thread/queue/delete', {
      threadId: thread,
      queuedSubmissionId: submission,
    });
    if (deleted !== true) return false;
    const { at } = await askQueue(server, thread, mark);
    return at === 'resting' || at === 'moving';
  } catch (error) {
    if (error instanceof RequestFailure) return false;
    throw error;
  }
}

async function askActivity(server: AppServer, threadId: string): Promise<'resting' | 'moving'> {
  const { thread } = await server.request('thread/read', { threadId });
  return restful.has(asObject(asObject(thread)['status'])['type']) ? 'resting' : 'moving';
}

const restful = new Set<unknown>(['idle', 'systemError', 'notLoaded']);
