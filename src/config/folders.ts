import { homedir, userInfo } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import { Fault } from '../shared/fault.ts';

/** Where signalbox keeps its things. With SIGNALBOX_HOME all of them lie in one folder. */
export interface Folders {
  readonly config: string;
  readonly state: string;
}

export function findFolders(env: NodeJS.ProcessEnv): Folders {
  const home = env['SIGNALBOX_HOME'];
  if (home) return { config: resolve(home), state: resolve(home) };
  return {
    config: join(xdg(env['XDG_CONFIG_HOME'], '.config'), 'signalbox'),
    state: join(xdg(env['XDG_STATE_HOME'], join('.local', 'state')), 'signalbox'),
  };
}

export function ledgerPath(folders: Folders): string {
  return join(folders.state, 'ledger.db');
}

export function configPath(folders: Folders): string {
  return join(folders.config, 'config.yaml');
}

/** What a command of the user's own shows the daemon (rule 52). */
export function userTokenPath(folders: Folders): string {
  return join(folders.state, 'user.token');
}

/** Held by the daemon that runs here, and by whoever removes what it would stand on. */
export function daemonLockPath(folders: Folders): string {
  return join(folders.state, 'daemon.lock');
}

/** Who runs here and where to reach it; its shape is protocol/daemon.ts. */
export function daemonInfoPath(folders: Folders): string {
  return join(folders.state, 'daemon.json');
}

/** Somebody has ended the daemon on purpose, and none was started since. */
export function takenDownPath(folders: Folders): string {
  return join(folders.state, 'daemon.down');
}

/** Which agents the user has named at a terminal to answer for those below them. */
export function supervisorsPath(folders: Folders): string {
  return join(folders.state, 'supervisors.json');
}

/** What the user was told, so that no later daemon tells it again. */
export function toldPath(folders: Folders): string {
  return join(folders.state, 'attention.json');
}

/** The port and the open sessions of the dashboard, so that the next daemon knows them. */
export function pageBookPath(folders: Folders): string {
  return join(folders.state, 'page.json');
}

/** At which agents' terminals the user has been, for `attach --next`. */
export function attachedPath(folders: Folders): string {
  return join(folders.state, 'attached.json');
}

export function logFolder(folders: Folders): string {
  return join(folders.state, 'logs');
}

export function daemonLogPath(folders: Folders): string {
  return join(logFolder(folders), 'daemon.log');
}

/** Mistakes of ours that were caught, by whichever process; `doctor` tells of them. */
export function caughtErrorsPath(folders: Folders): string {
  return join(logFolder(folders), 'caught-errors.jsonl');
}

/** Raw output of one agent's terminal. */
export function agentLogPath(folders: Folders, agent: string): string {
  return join(logFolder(folders), 'agents', `${agent}.log`);
}

/** The last screens of agents that have ended, as plain text. */
export function snapshotFolder(folders: Folders): string {
  return join(folders.state, 'snapshots');
}

/** Git worktrees made for agents; each is kept until nothing in it is lost with it. */
export function worktreeFolder(folders: Folders): string {
  return join(folders.state, 'worktrees');
}

/** Ends of one-shot commands that could not be committed yet. */
export function spoolFolder(folders: Folders): string {
  return join(folders.state, 'spool');
}

/** The XDG rules: a relative path is to be ignored. */
function xdg(value: string | undefined, fallback: string): string {
  if (value && isAbsolute(value)) return value;
  // An empty or relative HOME would put a ledger into every folder we are started in.
  const home = [homedir(), userInfo().homedir].find((folder) => isAbsolute(folder));
  if (home) return join(home, fallback);
  throw new Fault('config-invalid', 'There is no home folder (HOME).', 'Set SIGNALBOX_HOME.');
}
