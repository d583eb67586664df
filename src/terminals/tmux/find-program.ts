import { statSync } from 'node:fs';
import { Fault } from '../../shared/fault.ts';
import { findOnPath } from '../../shared/find-on-path.ts';
import { reportBug } from '../../shared/report-bug.ts';
import { isListening } from './is-listening.ts';
import { findNotedServer, noteServer } from './noted-server.ts';
import type { TmuxPlace } from './place.ts';
import { askVersion, runTmux } from './run-tmux.ts';
import { requireTmux, speaksAlike } from './version.ts';

/** What we talk to the server with. */
export interface TmuxInUse {
  /** The installed one, or the server's own. */
  readonly tmux: string;
  readonly version: string;
  /** The server, where one runs. */
  readonly server?: number;
}

/**
 * A server lives for as long as its agents do, and tmux may be upgraded meanwhile. Between 3.5a and
 * 3.6 the wire changed under the same protocol number: a newer control client is never answered by
 * an older server, and an older client hears "server exited unexpectedly" from a newer one. So a
 * server of another version is talked to with its own program, which can be run also where its file
 * was replaced. Where that cannot be had, and the two do not speak alike, a Fault names both and
 * the way out.
 */
export async function findProgram(place: TmuxPlace): Promise<TmuxInUse> {
  const server = await findServer(place);
  if (!server) return { tmux: place.tmux, version: await requireTmux(place) };
  const { pid } = server;
  if (await isInstalledOne(place, pid)) {
    return { tmux: place.tmux, version: await requireTmux(place), server: pid };
  }
  const own = `/proc/${pid}/exe`;
  const running = await askOwnVersion({ tmux: own, env: place.env });
  const installed = await requireTmux(place).catch((error: unknown) => {
    if (error instanceof Fault && running !== undefined) return undefined;
    throw error;
  });
  if (running !== undefined && running !== installed) {
    return { tmux: own, version: running, server: pid };
  }
  if (installed === undefined) throw new Error('one of them is known');
  // A note of an earlier signalbox has no version, and without /proc only the server can tell.
  const said = running ?? server.version ?? (await askServer(place))?.version;
  if (said !== undefined && speaksAlike(said, installed)) {
    return { tmux: place.tmux, version: installed, server: pid };
  }
  throw mismatch(installed, said, pid);
}

/**
 * Undefined where none runs, or where it cannot be known which process it is: then the installed
 * one is tried.
 */
async function findServer(
  place: TmuxPlace,
): Promise<{ pid: number; version?: string } | undefined> {
  if (!(await isListening(place))) return undefined;
  const noted = findNotedServer(place);
  if (noted) return noted;
  return askServer(place);
}

async function askServer(place: TmuxPlace): Promise<{ pid: number; version: string } | undefined> {
  const asked = await runTmux(place, [['display-message', '-p', '#{pid} #{version}']]).catch(
    // No tmux is installed: that is said by whoever needs it.
    (error: unknown) => reportBug('asking for the tmux server', error),
  );
  const [, pid, version] = /^(\d+) (\S+)$/m.exec(asked?.stdout ?? '') ?? [];
  if (pid === undefined || version === undefined) return undefined;
  const found = { pid: Number(pid), version };
  noteServer(place, found);
  return found;
}

/** The usual case, known without running anything. */
async function isInstalledOne(place: TmuxPlace, pid: number): Promise<boolean> {
  try {
    const path = await findOnPath(place.tmux, place.env['PATH'] ?? '');
    if (path === undefined) return false;
    const [own, installed] = [statSync(`/proc/${pid}/exe`), statSync(path)];
    return own.dev === installed.dev && own.ino === installed.ino;
  } catch {
    // There is no /proc here, it ended, or the disk gives no answer: nothing is known of it.
    return false;
  }
}

async function askOwnVersion(program: {
  readonly tmux: string;
  readonly env: NodeJS.ProcessEnv;
}): Promise<string | undefined> {
  try {
    const { stdout } = await askVersion(program);
    // It calls itself by the name that it was started by.
    return /^(?:tmux|exe) (\S+)$/.exec(stdout.trim())?.[1];
  } catch {
    // There is no /proc here, or its program cannot be run: it is judged by what it said of itself.
    return undefined;
  }
}

function mismatch(installed: string, running: string | undefined, pid: number): Fault {
  const which = running ?? 'of another version';
  return new Fault(
    'backend-mismatch',
    `The tmux server that your agents run in is ${which}, and the installed tmux is ${installed}: they do not understand each other.`,
    `Put tmux ${running ?? 'of that version'} back on the PATH until the agents are done; or end the server and its agents with \`kill ${pid}\` and start them again with \`signalbox restart --all\`: inboxes and conversations are kept.`,
  );
}
