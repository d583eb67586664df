import packageJson from '../../../package.json' with { type: 'json' };
import { findFolders, ledgerPath } from '../../config/folders.ts';
import { loadSettings, withTerminal } from '../../config/settings.ts';
import {
  type DaemonInfo,
  type HealthView,
  protocolVersion,
  type ShutdownView,
} from '../../protocol/daemon.ts';
import type { DownResult } from '../../protocol/printed.ts';
import { Fault } from '../../shared/fault.ts';
import { DaemonLink, readDocument, waitUntil } from './daemon-link.ts';
import { findDaemon, judgeDaemon } from './find-daemon.ts';
import { call, readText } from './http.ts';
import { findListening } from './start-daemon.ts';

/** A daemon that was asked to end gets this long; it cuts itself short after 5 s. */
const endMs = 8000;
const answerMs = 3000;

export interface UpResult {
  readonly isNew: boolean;
  readonly info: DaemonInfo;
}

/** Starts the daemon unless one runs; says which it is. */
export async function bringUp(env: NodeJS.ProcessEnv, terminal?: string): Promise<UpResult> {
  const wanted = withTerminal(env, terminal);
  const folders = findFolders(env);
  const settings = await loadSettings(folders, wanted);
  const { info, isNew } = await new DaemonLink(folders, wanted).start();
  if (terminal !== undefined && info.terminalBackend !== settings.terminal.value) {
    throw new Fault(
      'wrong-state',
      `A daemon runs already (pid ${info.pid}), with ${info.terminalBackend} terminals.`,
      'Run `signalbox down` first; agents live on.',
    );
  }
  return { info, isNew };
}

/**
 * Ends the daemon, of whatever version, and waits for its end. One that hangs is killed; agents
 * live on either way.
 */
export async function takeDown(env: NodeJS.ProcessEnv): Promise<DownResult> {
  const folders = findFolders(env);
  const info = findDaemon(folders);
  if (!info || judgeDaemon(info) === 'dead') return { outcome: 'not-running' };
  const answer =
    info.socket === undefined ? undefined : await askToEnd(info.socket, env['SIGNALBOX_AGENT']);
  const { pid } = info;
  const agents = answer === undefined ? {} : { agents: answer.agents };
  if (answer === undefined && judgeDaemon(info) === 'alive') process.kill(pid, 'SIGTERM');
  // Where its process cannot be seen, what it leaves when it ends in order must do.
  const isOver = async () =>
    judgeDaemon(info) === 'dead' ||
    (judgeDaemon(info) === 'unknown' && findDaemon(folders)?.pid !== pid);
  if (await waitUntil(isOver, answer === undefined ? answerMs : endMs))
    return { outcome: 'stopped', pid, ...agents };
  if (judgeDaemon(info) === 'alive') process.kill(pid, 'SIGKILL');
  if (await waitUntil(isOver, answerMs)) return { outcome: 'killed', pid, ...agents };
  throw new Fault(
    'timed-out',
    `The daemon (pid ${pid} on ${info.host}) does not end.`,
    'End that process by hand where it runs; agents live on.',
  );
}

/** As whoever asks: the daemon is not an agent's to end. */
async function askToEnd(
  socket: string,
  agent: string | undefined,
): Promise<ShutdownView | undefined> {
  const wanted = { socket, method: 'POST', path: '/shutdown', agent: agent || undefined } as const;
  const answer = await call(wanted, AbortSignal.timeout(answerMs));
  if (answer.outcome !== 'answered') return undefined;
  const { response } = answer;
  // It ended before its answer did: whether it has is looked at next.
  const text = await readText(response).catch(() => undefined);
  const { statusCode = 500 } = response;
  // One that cannot say whether it may is as one that does not answer.
  if (text === undefined || statusCode >= 500) return undefined;
  return readDocument<ShutdownView>(response, text);
}

/**
 * B2. From the daemon when one runs; nothing is started, for then the answer would always be yes.
 */
export async function readHealth(env: NodeJS.ProcessEnv): Promise<HealthView> {
  const folders = findFolders(env);
  const info = await findListening(folders);
  if (info) {
    const wanted = { socket: info.socket, method: 'GET', path: '/health' } as const;
    const answer = await call(wanted, AbortSignal.timeout(answerMs));
    if (answer.outcome === 'answered') return JSON.parse(await readText(answer.response));
    if (answer.outcome === 'broken') throw silent(info);
  }
  const { ledgerExists } = await import('../../store/sqlite/open.ts');
  const settings = await loadSettings(folders, env);
  const path = ledgerPath(folders);
  return {
    ok: false,
    version: packageJson.version,
    protocol: protocolVersion,
    terminalBackend: settings.terminal.value,
    components: {
      daemon: { state: 'stopped' },
      ledger: { state: ledgerExists(path) ? 'ready' : 'missing', path },
      backend: { state: 'unknown', detail: 'only the daemon knows' },
      backends: {},
      providers: {},
    },
    agents: { running: 0, troubled: [] },
  };
}

function silent({ pid, since }: DaemonInfo): Fault {
  return new Fault(
    'timed-out',
    `The daemon (pid ${pid}, since ${since}) takes connections and does not answer.`,
    'It may be stopped or very busy; `signalbox down` ends it, and agents live on.',
  );
}
