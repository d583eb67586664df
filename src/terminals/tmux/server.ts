import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { systemClock } from '../../shared/clock.ts';
import { readStartTime } from '../../shared/processes.ts';
import { OutsideFailure } from '../../shared/report-bug.ts';
import { renderList } from './command.ts';
import type { TmuxPlace } from './place.ts';
import { runTmux } from './run-tmux.ts';
import { serverConfig } from './server-config.ts';

/**
 * Finds our server, or starts it, and our hub in it: a session that every agent's window is linked into, so that one control
 * client sees them all while each agent keeps a session of its own. Returns the hub's id.
 */
export async function ensureHub(place: TmuxPlace): Promise<string> {
  let complaint = '';
  for (const pauseMs of [0, 100, 200, 400, 800]) {
    // Straight after a kill-server a new one can fail with "server exited unexpectedly" (tmux 3.3a).
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
  throw new OutsideFailure(`tmux did not start: ${complaint}`);
}

async function startHub(place: TmuxPlace): Promise<{ hub?: string; complaint: string }> {
  const name = `hub-${place.ledgerId.slice(-8)}`;
  const ran = await runTmux(
    place,
    [
      // A program that does nothing, for ever, on every system; more than one word, so that no shell is asked.
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
      ['display-message', '-p', '-t', `=${name}:`, '#{session_id} #{pid}'],
    ],
    ['-f', configPath(place)],
  );
  const [, hub, pid] = /^(\$\d+) (\d+)$/m.exec(ran.stdout) ?? [];
  if (ran.code !== 0 || !hub) return { complaint: ran.complaint };
  noteServer(place, Number(pid));
  return { hub, complaint: '' };
}

/** Asked at the socket itself: tmux tells "no server" and all other troubles apart only in words. */
export function isListening(place: TmuxPlace): Promise<boolean> {
  return new Promise((done) => {
    const socket = connect(place.socket);
    socket.once('connect', () => {
      socket.destroy();
      done(true);
    });
    socket.once('error', () => done(false));
  });
}

/**
 * The server lives but its socket's file was cleaned away: a second server would take its place and every agent would be
 * lost to us. On SIGUSR1 tmux makes its socket anew.
 */
async function wakeLostServer(place: TmuxPlace): Promise<boolean> {
  const pid = findNotedServer(place);
  if (pid === undefined) return false;
  try {
    process.kill(pid, 'SIGUSR1');
  } catch {
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

function findNotedServer(place: TmuxPlace): number | undefined {
  try {
    const { pid, startedAt } = JSON.parse(readFileSync(notePath(place), 'utf8'));
    return Number.isInteger(pid) && readStartTime(pid) === startedAt ? pid : undefined;
  } catch {
    return undefined; // Never written, or not by us: then nothing is known of a server.
  }
}

function noteServer(place: TmuxPlace, pid: number): void {
  writeWhole(notePath(place), JSON.stringify({ pid, startedAt: readStartTime(pid) }));
}

function writeConfig(place: TmuxPlace): void {
  const lines = serverConfig.map((command) => renderList([command]));
  writeWhole(configPath(place), `${lines.join('\n')}\n`);
}

function writeWhole(path: string, text: string): void {
  mkdirSync(join(path, '..'), { recursive: true, mode: 0o700 });
  writeFileSync(`${path}.new`, text, { mode: 0o600 });
  renameSync(`${path}.new`, path);
}

function configPath(place: TmuxPlace): string {
  return join(place.stateFolder, 'tmux.conf');
}

function notePath(place: TmuxPlace): string {
  return join(place.stateFolder, 'tmux-server.json');
}
