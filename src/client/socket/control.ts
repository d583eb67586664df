import packageJson from '../../../package.json' with { type: 'json' };
import { findFolders, ledgerPath } from '../../config/folders.ts';
import { loadSettings, withTerminal } from '../../config/settings.ts';
import { noteTakenDown } from '../../config/taken-down.ts';
import { type DaemonInfo, type HealthView, protocolVersion } from '../../protocol/daemon.ts';
import type { DownResult } from '../../protocol/printed.ts';
import { Fault } from '../../shared/fault.ts';
import { describeObstacle } from '../direct/describe-judged.ts';
import { findAgentStarter } from '../direct/judge-user.ts';
import { DaemonLink } from './daemon-link.ts';
import { answerMs, endDaemon } from './end-daemon.ts';
import { findDaemon, judgeDaemon, requireNotNewer } from './find-daemon.ts';
import { call, readText } from './http.ts';
import { findListening } from './start-daemon.ts';

export interface UpResult {
  readonly isNew: boolean;
  readonly info: DaemonInfo;
}

/** Starts the daemon unless one runs; says which it is. */
export async function bringUp(
  env: NodeJS.ProcessEnv,
  tell: (sentence: string) => void,
  terminal?: string,
): Promise<UpResult> {
  const wanted = withTerminal(env, terminal);
  const folders = findFolders(env);
  const settings = await loadSettings(folders, wanted);
  const { info, isNew } = await new DaemonLink(folders, wanted, { tell }).start();
  requireNotNewer(info);
  if (terminal !== undefined && info.terminalBackend !== settings.terminal.value) {
    throw new Fault(
      'wrong-state',
      `A daemon runs already (pid ${info.pid}), with ${info.terminalBackend} terminals.`,
      'Run `signalbox down` first; agents live on.',
    );
  }
  return { info, isNew };
}

/** Ends the daemon, whoever started it. */
export async function takeDown(env: NodeJS.ProcessEnv): Promise<DownResult> {
  const folders = findFolders(env);
  const info = findDaemon(folders);
  // An agent may not end it, whatever it says of itself (rule 52); one that says its name is
  // told so by the daemon.
  const isOwn = !env['SIGNALBOX_AGENT'];
  const starter = isOwn || env['SIGNALBOX_AGENT'] === 'user' ? findAgentStarter(env) : undefined;
  if (starter) {
    throw new Fault(
      'not-allowed',
      `Only the user may end the daemon: ${describeObstacle(starter)}.`,
      'Run it yourself in a terminal of your own.',
    );
  }
  if (!info || judgeDaemon(info) === 'dead') {
    if (isOwn) noteTakenDown(folders);
    return { outcome: 'not-running' };
  }
  const { outcome, ...rest } = await endDaemon(folders, info, {
    agent: env['SIGNALBOX_AGENT'] || undefined,
  });
  // Somebody may have started another since.
  if (isOwn && !findDaemon(folders)) noteTakenDown(folders);
  return { outcome, pid: info.pid, ...rest };
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
