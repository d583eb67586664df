import { join } from 'node:path';
import { systemClock } from '../../shared/clock.ts';
import { Fault } from '../../shared/fault.ts';
import { OutsideFailure } from '../../shared/report-bug.ts';
import { type Command, renderList } from './command.ts';
import { isListening } from './is-listening.ts';
import { findNotedServer, noteServer } from './noted-server.ts';
import type { TmuxPlace } from './place.ts';
import { runTmux, startTmux } from './run-tmux.ts';
import { serverConfig } from './server-config.ts';
import { writeWhole } from './write-whole.ts';

/**
 * Finds our server, or starts it, and our hub in it: a session that every agent's window is linked
 * into, so that one control client sees them all while each agent keeps a session of its own.
 * Returns the hub's id.
 */
export async function ensureHub(place: TmuxPlace): Promise<string> {
  let complaint = '';
  for (const pauseMs of [0, 100, 200, 400, 800]) {
    // Straight after a kill-server a new one can fail with "server exited unexpectedly" (tmux
    // 3.3a).
    await systemClock.sleep(pauseMs);
    if (!(await isListening(place)) && !(await wakeLostServer(place))) writeConfig(place);
    const listed = await runTmux(place, [['list-sessions', '-F', '#{session_id} #{@sbx-hub}']]);
    const found = listed.stdout.split('\n').find((line) => line.endsWith(` ${place.ledgerId}`));
    if (listed.code === 0 && found) return found.slice(0, found.indexOf(' '));
    // It is there and does not answer: another one beside it would be no help.
    if (listed.code === null)
      throw new OutsideFailure(`the tmux server hangs: ${listed.complaint}`);
    const started = await startHub(place);
    if (started.hub) return started.hub;
    complaint = started.complaint;
  }
  if (await isListening(place)) throw unanswered(place, complaint);
  throw new OutsideFailure(`tmux did not start: ${complaint}`);
}

/**
 * One that nobody has noted, and that says nothing of itself to the installed tmux: 3.6 and later
 * to a client of 3.5a.
 */
function unanswered({ socket }: TmuxPlace, complaint: string): Fault {
  return new Fault(
    'backend-mismatch',
    `A tmux server lives at ${socket} and does not answer the installed tmux (${complaint}): it may be of another version.`,
    'Put the tmux that started it back on the PATH; or end it, with its agents, and start them again with `signalbox restart --all`: inboxes and conversations are kept.',
  );
}

async function startHub(place: TmuxPlace): Promise<{ hub?: string; complaint: string }> {
  const name = `hub-${place.ledgerId.slice(-8)}`;
  const ran = await startTmux(
    place,
    [
      // Before the first session, and on a server that is there already, whoever started it: with
      // `destroy-unattached on` the hub would end as it begins. What a version does not know is
      // passed over.
      ...serverConfig.map(([set, ...words]): Command => [set, '-q', ...words]),
      // A program that does nothing, for ever, on every system; more than one word, so that no
      // shell is asked.
      [
        'new-session',
        '-d',
        '-E',
        '-s',
        name,
        '-n',
        'hub',
        '-x',
        '120',
        '-y',
        '40',
        '-c',
        '/',
        '--',
        'sleep',
        '2147483647',
      ],
      ['set-option', '-t', `=${name}:`, '@sbx-hub', place.ledgerId],
      ['display-message', '-p', '-t', `=${name}:`, '#{session_id} #{pid} #{version}'],
    ],
    configPath(place),
  );
  const [, hub, pid, version = ''] = /^(\$\d+) (\d+) (\S+)$/m.exec(ran.stdout) ?? [];
  if (ran.code !== 0 || !hub) return { complaint: ran.complaint };
  noteServer(place, { pid: Number(pid), version });
  return { hub, complaint: '' };
}

/**
 * The server lives but its socket's file was cleaned away: a second server would take its place and
 * every agent would be lost to us. On SIGUSR1 tmux makes its socket anew.
 */
async function wakeLostServer(place: TmuxPlace): Promise<boolean> {
  const pid = findNotedServer(place)?.pid;
  if (pid === undefined) return false;
  try {
    process.kill(pid, 'SIGUSR1');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    return false; // It ended just now.
  }
  for (let tries = 0; tries < 20; tries++) {
    if (await isListening(place)) return true;
    await systemClock.sleep(50);
  }
  if (findNotedServer(place) === undefined) return false;
  throw new OutsideFailure(
    `the tmux server ${pid} lives and its socket ${place.socket} cannot be reached`,
  );
}

function writeConfig(place: TmuxPlace): void {
  const lines = serverConfig.map((command) => renderList([command]));
  writeWhole(configPath(place), `${lines.join('\n')}\n`);
}

function configPath(place: TmuxPlace): string {
  return join(place.stateFolder, 'tmux.conf');
}
