import { systemClock } from '../../shared/clock.ts';
import { Fault } from '../../shared/fault.ts';
import { readName } from '../../shared/process-tree.ts';
import { readStartTime } from '../../shared/processes.ts';
import { findProgram } from './find-program.ts';
import { isListening } from './is-listening.ts';
import { findNotedServer } from './noted-server.ts';
import { findPlace, type PlaceOptions, type TmuxPlace } from './place.ts';
import { runTmux } from './run-tmux.ts';

const patienceMs = 5000;

/**
 * Ends our server and every terminal in it, and verifies it: for a state folder that is given up.
 * Every client of ours must be closed before: a server waits for a client that does not read (tmux
 * 3.3a to 3.7c for ever, 3.8 for 10 s).
 */
export async function stopTmuxServer(options: PlaceOptions): Promise<'stopped' | 'absent'> {
  const place = findPlace(options);
  const found = findNotedServer(place)?.pid;
  const noted = found !== undefined && isTmux(found) ? found : undefined;
  // A server that was stopped (SIGSTOP) takes connections, and answers nobody.
  if (noted !== undefined) signal(noted, 'SIGCONT');
  const isThere = await isListening(place);
  if (!isThere && noted === undefined) return 'absent';
  const { pid, complaint } = isThere ? await askToEnd(place) : { pid: undefined, complaint: '' };
  if (pid !== undefined && !isTmux(pid)) {
    if (!(await isListening(place))) return 'stopped';
    throw notStopped(`process ${pid} at its socket is no tmux server`);
  }
  const server = pid ?? noted;
  if (server === undefined) throw notStopped(complaint);
  // One that does not answer, or whose socket is gone, is ended by the pid that was noted.
  if (pid === undefined) signal(server, 'SIGTERM');
  await awaitEnd(server);
  return 'stopped';
}

/**
 * A pid is only what somebody at our socket said, and may be anybody's; or the server has ended
 * since. No signal goes to a process that is no tmux. Where names cannot be read (macOS) it is
 * believed.
 */
function isTmux(pid: number): boolean {
  return process.platform !== 'linux' || readName(pid)?.startsWith('tmux') === true;
}

async function askToEnd(place: TmuxPlace): Promise<{ pid: number | undefined; complaint: string }> {
  const { tmux } = await findProgram(place);
  const asked = await runTmux({ ...place, tmux }, [
    ['display-message', '-p', '#{pid}'],
    ['kill-server'],
  ]);
  const pid = Number(asked.stdout.trim());
  return { pid: Number.isInteger(pid) && pid > 1 ? pid : undefined, complaint: asked.complaint };
}

async function awaitEnd(pid: number): Promise<void> {
  const startedAt = readStartTime(pid);
  const deadline = systemClock.monotonicMs() + patienceMs;
  while (startedAt !== undefined && readStartTime(pid) === startedAt) {
    const lateMs = systemClock.monotonicMs() - deadline;
    if (lateMs > patienceMs) throw notStopped(`process ${pid} stays`);
    if (lateMs > 0) signal(pid, 'SIGKILL');
    await systemClock.sleep(10);
  }
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It ended just now.
  }
}

function notStopped(why: string): Fault {
  return new Fault(
    'stop-failed',
    `The tmux server of signalbox does not end: ${why}.`,
    'End it by hand, then run the command again.',
  );
}
