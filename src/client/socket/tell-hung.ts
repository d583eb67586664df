// Tests: test/integration/cli-hung-daemon.test.ts.

import type { Folders } from '../../config/folders.ts';
import { pause, systemClock } from '../../shared/clock.ts';
import { joinSignals } from '../../shared/join-signals.ts';
import { findDaemon } from './find-daemon.ts';
import { call, readText } from './http.ts';

/** Whoever waits longer wonders what for. */
const patienceMs = 2000;
/** A daemon that is well answers this within milliseconds. */
const answerMs = 1000;

interface Hung {
  /** How long the request waits at most. */
  readonly deadlineMs: number;
  readonly tell: (sentence: string) => void;
  /** The request is over. */
  readonly over: AbortSignal;
}

/** Says what a command waits for, when the daemon takes connections and answers nobody. */
export async function tellHung(folders: Folders, { deadlineMs, tell, over }: Hung): Promise<void> {
  if (!(await pause(systemClock, patienceMs, over))) return;
  const info = findDaemon(folders);
  if (info?.socket === undefined || (await answers(info.socket, over)) || over.aborted) return;
  const seconds = Math.round(deadlineMs / 1000);
  tell(
    `Waiting for the daemon (pid ${info.pid}), which does not answer, for ${seconds} s at most. \`signalbox down\` ends it; agents live on.`,
  );
}

async function answers(socket: string, over: AbortSignal): Promise<boolean> {
  const { signal, leave } = joinSignals([over, AbortSignal.timeout(answerMs)]);
  try {
    const answer = await call({ socket, method: 'GET', path: '/health' }, signal);
    if (answer.outcome !== 'answered') return false;
    // An answer that breaks off is none.
    return (await readText(answer.response).catch((): undefined => undefined)) !== undefined;
  } finally {
    leave();
  }
}
