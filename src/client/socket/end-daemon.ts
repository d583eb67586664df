import type { Folders } from '../../config/folders.ts';
import type { DaemonInfo, ShutdownView } from '../../protocol/daemon.ts';
import { Fault } from '../../shared/fault.ts';
import { findDaemon, judgeDaemon } from './find-daemon.ts';
import { call, readText } from './http.ts';
import { readDocument } from './read-document.ts';
import { waitUntil } from './wait-until.ts';

/** A daemon that was asked to end gets this long; it cuts itself short after 5 s. */
const endMs = 8000;
export const answerMs = 3000;

export interface EndedDaemon {
  readonly outcome: 'stopped' | 'killed';
  /** That live on; undefined where it could not say. */
  readonly agents?: number;
}

export interface EndWish {
  /** Who asks, if it is an agent: a daemon is not an agent's to end. */
  readonly agent?: string | undefined;
  /** Another daemon follows. */
  readonly isReplaced?: true;
}

/**
 * Ends exactly this daemon, of whatever version, and waits for its end. One that hangs is killed;
 * agents live on either way.
 */
export async function endDaemon(
  folders: Folders,
  info: DaemonInfo,
  wish: EndWish = {},
): Promise<EndedDaemon> {
  const { pid, socket } = info;
  const answer = socket === undefined ? undefined : await askToEnd(socket, pid, wish);
  const agents = answer?.agents === undefined ? {} : { agents: answer.agents };
  if (answer === undefined && judgeDaemon(info) === 'alive') signal(pid, 'SIGTERM');
  // Where its process cannot be seen, what it leaves when it ends in order must do.
  const isOver = async () =>
    judgeDaemon(info) === 'dead' ||
    (judgeDaemon(info) === 'unknown' && findDaemon(folders)?.pid !== pid);
  if (await waitUntil(isOver, answer === undefined ? answerMs : endMs))
    return { outcome: 'stopped', ...agents };
  if (judgeDaemon(info) === 'alive') signal(pid, 'SIGKILL');
  if (await waitUntil(isOver, answerMs)) return { outcome: 'killed', ...agents };
  throw new Fault(
    'timed-out',
    `The daemon (pid ${pid} on ${info.host}) does not end.`,
    'End that process by hand where it runs; agents live on.',
  );
}

/** It may have ended since it was looked at. */
function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/**
 * Undefined where it does not answer. It is named by its pid: by now another daemon may listen at
 * the same socket, which somebody else has started in its place.
 */
async function askToEnd(
  socket: string,
  pid: number,
  { agent, isReplaced }: EndWish,
): Promise<Partial<ShutdownView> | undefined> {
  const path = `/shutdown?pid=${pid}${isReplaced ? '&isReplaced=true' : ''}`;
  const wanted = { socket, method: 'POST', path, agent } as const;
  const answer = await call(wanted, AbortSignal.timeout(answerMs));
  if (answer.outcome !== 'answered') return undefined;
  const { response } = answer;
  // It ended before its answer did: whether it has is looked at next.
  const text = await readText(response).catch(() => undefined);
  const { statusCode = 500 } = response;
  // One that cannot say whether it may is as one that does not answer.
  if (text === undefined || statusCode >= 500) return undefined;
  // The one that is meant has ended already.
  if (statusCode === 409) return {};
  return readDocument<ShutdownView>(response, text);
}
