import { readdirSync } from 'node:fs';
import packageJson from '../../package.json' with { type: 'json' };
import { caughtErrorsPath, daemonLogPath, findFolders, ledgerPath } from '../config/folders.ts';
import { requireNoAccessList, requireOwnFolder } from '../config/own-folder.ts';
import { loadSettings } from '../config/settings.ts';
import { forgetTakenDown, noteTakenDown } from '../config/taken-down.ts';
import { type DaemonInfo, protocolVersion } from '../protocol/daemon.ts';
import { noteBug } from '../shared/bug-notes.ts';
import { systemClock } from '../shared/clock.ts';
import { reachFailPoint } from '../shared/fail-point.ts';
import { errorFacts, type Log } from '../shared/log.ts';
import { systemHost } from '../shared/processes.ts';
import { type CaughtBug, keepBugs } from '../shared/report-bug.ts';
import { compose, type Parts } from './compose.ts';
import { takeLock } from './lock.ts';
import { openLog } from './log.ts';
import { RunningDaemon } from './running-daemon.ts';
import { prepareSocketPath } from './socket-path.ts';
import { watchGround } from './watch-ground.ts';

export type RunResult =
  | { readonly outcome: 'running'; readonly ended: Promise<'asked' | 'ground-lost'> }
  | { readonly outcome: 'taken'; readonly holder: DaemonInfo | undefined };

/**
 * The daemon's life: lock, parts, socket; then until somebody asks it to end, or the ground is
 * lost. It listens only when everything works, so whoever reaches it can use it.
 */
export async function runDaemon(
  env: NodeJS.ProcessEnv,
  echo?: (line: string) => void,
): Promise<RunResult> {
  const folders = findFolders(env);
  const settings = await loadSettings(folders, env);
  requireNoAccessList(folders);
  const lock = await takeLock(folders, systemClock);
  // Where there was none before, somebody else may have been quicker.
  requireOwnFolder(folders);
  if ('holder' in lock) return { outcome: 'taken', holder: lock.holder };
  const { pid } = process;
  const { startedAt, host } = systemHost.identity;
  const introduction: DaemonInfo = {
    pid,
    startedAt,
    host,
    since: new Date(systemClock.now()).toISOString(),
    version: packageJson.version,
    protocol: protocolVersion,
    terminalBackend: settings.terminal.value,
  };
  forgetTakenDown(folders);
  lock.introduce(introduction);
  await reachFailPoint('daemon.locked');
  const logs = openLog(daemonLogPath(folders), systemClock, echo);
  surviveErrors(logs.log, caughtErrorsPath(folders));
  let end: (how: 'asked' | 'ground-lost') => void = () => undefined;
  const asked = new Promise<'asked' | 'ground-lost'>((resolve) => {
    end = resolve;
  });
  let parts: Parts | undefined;
  try {
    let info = { ...introduction, socket: prepareSocketPath(folders, env) };
    parts = await compose({
      folders,
      settings,
      env,
      log: logs.log,
      version: packageJson.version,
      socket: () => info.socket,
      daemon: () => describe(info),
      shutdown: (isReplaced) => {
        // Whoever replaces it may be killed before another runs: then it is only missing.
        if (!isReplaced) noteTakenDown(folders);
        end('asked');
      },
    });
    const running = new RunningDaemon(parts, lock, logs, info);
    await running.listen();
    logs.log.info({ ...info }, 'ready');
    const stopWatching = watchGround(
      [folders.state, ledgerPath(folders), lock.path],
      systemClock,
      (path) => {
        logs.log.error({ path }, 'a file this daemon stands on was deleted or replaced; it ends');
        end('ground-lost');
      },
      async () => {
        await running.keepReachable(() => prepareSocketPath(folders, env));
        info = running.info;
      },
    );
    catchSignals(() => end('asked'));
    const ended = asked.then(async (how) => {
      stopWatching();
      await running.close();
      return how;
    });
    return { outcome: 'running', ended };
  } catch (error) {
    logs.log.error(errorFacts(error), 'the daemon could not start');
    await parts?.close();
    logs.file.close();
    lock.release(pid);
    throw error;
  }
}

/**
 * One part's mistake must not take the others down: it is logged and noted for `doctor`, and
 * everything else goes on.
 */
function surviveErrors(log: Log, notes: string): void {
  const keep = (bug: CaughtBug): void => {
    const { place, error, times } = bug;
    log.error({ place, times, ...errorFacts(error) }, 'a mistake of signalbox was caught');
    noteBug(notes, bug, systemClock.now());
  };
  keepBugs(keep);
  let times = 0;
  const keepUncaught = (place: string) => (error: unknown) =>
    keep({ place, error, times: ++times });
  process.on('uncaughtException', keepUncaught('something that nobody caught'));
  process.on('unhandledRejection', keepUncaught('something that nobody waited for'));
}

/** A second signal ends it on the spot. */
function catchSignals(end: () => void): void {
  let asked = 0;
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (++asked > 1) process.exit(1);
      end();
    });
  }
}

function describe(info: DaemonInfo & { readonly socket: string }) {
  const { pid, since, socket } = info;
  const memoryBytes = process.memoryUsage.rss();
  return { state: 'running', pid, since, socket, memoryBytes, ...countOpenFiles() } as const;
}

function countOpenFiles(): { readonly openFiles?: number } {
  try {
    return { openFiles: readdirSync('/proc/self/fd').length };
  } catch {
    // This system has no such folder, or no file can be opened any more.
    return {};
  }
}
