import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type Folders, logFolder } from '../../config/folders.ts';
import { withTerminal } from '../../config/settings.ts';
import { type DaemonInfo, type FaultView, takenExitCode } from '../../protocol/daemon.ts';
import { systemClock } from '../../shared/clock.ts';
import { reachFailPoint } from '../../shared/fail-point.ts';
import { Fault } from '../../shared/fault.ts';
import { takesConnections } from '../../shared/takes-connections.ts';
import { daemonEnvironment, daemonProgram } from './daemon-program.ts';
import { endDaemon } from './end-daemon.ts';
import { compareToOurs, findDaemon, judgeDaemon, requireNotOlder } from './find-daemon.ts';

/** From the first look to an answer. Reading back a hundred agents takes about a second. */
const startMs = 20_000;

export interface Started {
  readonly info: DaemonInfo & { readonly socket: string };
  /** False when one ran already, or another caller's came first. */
  readonly isNew: boolean;
}

/**
 * Makes sure that a daemon runs and answers. Several callers at once end with one daemon: each
 * starts its own, the kernel's lock lets one live, and all wait for whichever listens. An older one
 * is replaced: it is asked to end, by its pid, and the new one finds its agents, as after any other
 * end. A newer one is left alone; whoever asks it is told.
 */
export async function startDaemon(
  folders: Folders,
  given: NodeJS.ProcessEnv,
  tell: (sentence: string) => void = () => undefined,
): Promise<Started> {
  const endsAtMs = systemClock.monotonicMs() + startMs;
  let attempt: Attempt | undefined;
  let env = given;
  let replaced: DaemonInfo | undefined;
  for (let waitMs = 10; ; waitMs = Math.min(waitMs * 2, 100)) {
    const older = findOlder(folders);
    if (older) {
      await endDaemon(folders, older, { isReplaced: true });
      await reachFailPoint('daemon.replaced');
      replaced = older;
      env = keepTerminal(given, older);
    }
    const info = await findListening(folders);
    if (info) {
      requireNotOlder(info);
      if (replaced) tell(describeReplaced(replaced, info));
      return { info, isNew: info.pid === attempt?.child.pid };
    }
    // Another that is starting is waited for. One that is gone may have been on its way out when
    // ours gave way to it.
    const canTry = !attempt || attempt.exitCode === takenExitCode;
    if (canTry && !isHeld(folders)) attempt = spawnDaemon(folders, env);
    else if (!canTry && attempt?.exitCode !== undefined) {
      throw unavailable(attempt.readFailure(), folders);
    }
    if (systemClock.monotonicMs() >= endsAtMs) throw unavailable(undefined, folders);
    await systemClock.sleep(waitMs);
  }
}

function findOlder(folders: Folders): DaemonInfo | undefined {
  const info = findDaemon(folders);
  const isOlder = info !== undefined && compareToOurs(info) === 'older';
  // One that cannot be seen may be another machine's, or long dead: its lock decides.
  return isOlder && judgeDaemon(info) === 'alive' ? info : undefined;
}

/** `up --terminal` may have set it for the older one alone. */
function keepTerminal(env: NodeJS.ProcessEnv, { terminalBackend }: DaemonInfo): NodeJS.ProcessEnv {
  return env['SIGNALBOX_TERMINAL'] ? env : withTerminal(env, terminalBackend);
}

function describeReplaced(older: DaemonInfo, { version }: DaemonInfo): string {
  return `The daemon of signalbox ${older.version} has been replaced by that of ${version}; agents live on.`;
}

function isHeld(folders: Folders): boolean {
  const info = findDaemon(folders);
  return info !== undefined && info.socket === undefined && judgeDaemon(info) === 'alive';
}

/** The daemon that is written down, if somebody takes connections there. */
export async function findListening(folders: Folders): Promise<Started['info'] | undefined> {
  const info = findDaemon(folders);
  const { socket } = info ?? {};
  if (!info || socket === undefined || !(await takesConnections(socket))) return undefined;
  return { ...info, socket };
}

interface Attempt {
  readonly child: ChildProcess;
  readonly exitCode: number | undefined;
  readFailure(): FaultView['error'] | undefined;
}

function spawnDaemon(folders: Folders, env: NodeJS.ProcessEnv): Attempt {
  const path = join(logFolder(folders), 'daemon.stderr');
  let fd: number;
  try {
    mkdirSync(logFolder(folders), { recursive: true, mode: 0o700 });
    trim(path);
    fd = openSync(path, 'a', 0o600);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw unavailable({ code: 'ledger-unwritable', message: `${why}.`, next: '' }, folders);
  }
  const child = spawn(process.execPath, daemonProgram(), {
    cwd: '/',
    env: daemonEnvironment(folders, env),
    detached: true,
    stdio: ['ignore', fd, fd],
  });
  closeSync(fd);
  let exitCode: number | undefined;
  child.once('exit', (code) => {
    exitCode = code ?? -1;
  });
  child.once('error', () => {
    exitCode = -1;
  });
  child.unref();
  return {
    child,
    get exitCode() {
      return exitCode;
    },
    readFailure: () => readFailure(path, child.pid),
  };
}

/**
 * What a daemon says that has no log yet, or dies without a word of its own. Kept small: nobody
 * rotates it.
 */
function trim(path: string): void {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (size > 1024 * 1024) rmSync(path, { force: true });
}

/**
 * Its own word if it had one, else the last line of what the system said, such as an error of the
 * loader.
 */
function readFailure(path: string, pid: number | undefined): FaultView['error'] | undefined {
  const lines = readFileSync(path, 'utf8').trim().split('\n').slice(-50);
  for (const line of lines.toReversed()) {
    try {
      const said = JSON.parse(line) as { pid?: number; error?: FaultView['error'] };
      if (said.pid === pid && said.error) return said.error;
    } catch {
      // Not a word of ours.
    }
  }
  const last = lines.findLast((line) => /\S/.test(line) && !/^\s+at /.test(line));
  return last === undefined ? undefined : { code: 'bug', message: `${last}.`, next: '' };
}

function unavailable(failure: FaultView['error'] | undefined, folders: Folders): Fault {
  const why = failure?.message ?? `It did not answer within ${startMs / 1000} s.`;
  return new Fault(
    'daemon-unavailable',
    `The daemon could not be started: ${why}`,
    failure?.next || `See ${join(logFolder(folders), 'daemon.stderr')} and \`signalbox logs\`.`,
  );
}
