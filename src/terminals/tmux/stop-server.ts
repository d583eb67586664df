import { systemClock } from '../../shared/clock.ts';
import { readStartTime } from '../../shared/processes.ts';
import { OutsideFailure } from '../../shared/report-bug.ts';
import { findProgram } from './find-program.ts';
import { isListening } from './is-listening.ts';
import { findPlace, type PlaceOptions } from './place.ts';
import { runTmux } from './run-tmux.ts';

const patienceMs = 5000;

/**
 * Ends our server and every terminal in it, and verifies it: for a state folder that is given up.
 * Every client of ours must be closed before: a server waits for a client that does not read (tmux
 * 3.3a to 3.7c for ever, 3.8 for 10 s).
 */
export async function stopTmuxServer(options: PlaceOptions): Promise<'stopped' | 'absent'> {
  const place = findPlace(options);
  if (!(await isListening(place))) return 'absent';
  const { tmux } = await findProgram(place);
  const asked = await runTmux({ ...place, tmux }, [
    ['display-message', '-p', '#{pid}'],
    ['kill-server'],
  ]);
  const pid = Number(asked.stdout.trim());
  if (!Number.isInteger(pid) || pid <= 1)
    throw new OutsideFailure(`tmux did not stop: ${asked.complaint}`);
  const startedAt = readStartTime(pid);
  const deadline = systemClock.monotonicMs() + patienceMs;
  while (startedAt !== undefined && readStartTime(pid) === startedAt) {
    if (systemClock.monotonicMs() > deadline) kill(pid);
    await systemClock.sleep(10);
  }
  return 'stopped';
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It ended just now.
  }
}
