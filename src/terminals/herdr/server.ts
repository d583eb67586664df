import { spawn } from 'node:child_process';
import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../../shared/clock.ts';
import { Fault } from '../../shared/fault.ts';
import { findOnPath } from '../../shared/find-on-path.ts';
import { OutsideFailure } from '../../shared/report-bug.ts';
import type { HerdrPlace } from './place.ts';

/** A server restores its workspaces first. */
const startMs = 10_000;
const checkMs = 20;

/**
 * What a server of ours needs; nothing that marks a process as nested in an agent or a multiplexer
 * (rule 40).
 */
const kept =
  /^(PATH|HOME|USER|LOGNAME|SHELL|LANG|LANGUAGE|LC_[A-Z]+|TZ|TMPDIR|XDG_[A-Z]+_(HOME|DIR))$/;

/**
 * Starts the server of that session, headless, and waits until there is another socket than
 * `before`. It belongs to nobody afterwards: like a tmux server it outlives the daemon, and every
 * agent in it with it. One that somebody else has just started is as good: then this one ends
 * with 1.
 */
export async function startServer(
  place: HerdrPlace,
  clock: Clock,
  before: string,
  signal: AbortSignal,
): Promise<void> {
  const program = await requireHerdr(place.env);
  const named =
    place.session === undefined || place.session === 'default' ? [] : ['--session', place.session];
  const child = spawn(program, [...named, 'server'], {
    env: serverEnv(place),
    cwd: '/',
    detached: true,
    stdio: 'ignore',
  });
  let ended: string | undefined;
  child.on('error', (error) => {
    ended = error.message;
  });
  child.on('exit', (code, killedBy) => {
    ended ??= `exit ${code ?? killedBy}`;
  });
  child.unref();
  const end = clock.monotonicMs() + startMs;
  // The file tells, without a connection: of one that fails again and again hardly any are made
  // (B11).
  while (identifySocket(place.socket) === before && ended === undefined) {
    if (clock.monotonicMs() > end)
      throw new OutsideFailure('herdr was started and opens no socket');
    await clock.sleep(checkMs, signal);
  }
  if (identifySocket(place.socket) === before)
    throw new OutsideFailure(`herdr did not start (${ended})`);
}

/** Tells the socket of one server from that of the next; empty while there is none. */
export function identifySocket(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false });
  return found ? `${found.ino}/${found.ctimeMs}` : '';
}

export async function requireHerdr(env: NodeJS.ProcessEnv): Promise<string> {
  const program = await findOnPath('herdr', env['PATH'] ?? '');
  if (program !== undefined) return program;
  throw new Fault(
    'backend-missing',
    'herdr is not installed: there is no program of that name on the PATH.',
    'Install herdr, or keep terminals in tmux (`--terminal tmux`).',
  );
}

function serverEnv(place: HerdrPlace): NodeJS.ProcessEnv {
  const env = Object.fromEntries(Object.entries(place.env).filter(([name]) => kept.test(name)));
  if (place.session === undefined) {
    // Found by these, it is started by these: without them herdr would start another session.
    const { HERDR_SOCKET_PATH, HERDR_SESSION } = place.env;
    return { ...env, HERDR_SOCKET_PATH, HERDR_SESSION };
  }
  if (!place.isOwn) return env;
  const path = join(place.folder, 'config.toml');
  mkdirSync(place.folder, { recursive: true, mode: 0o700 });
  writeFileSync(path, configuration, { mode: 0o600 });
  return { ...env, HERDR_CONFIG_PATH: path };
}

/**
 * No first steps, no look at the network, no agent that comes back by itself and would be a
 * stranger (rule 37).
 */
const configuration = `# Written by signalbox for its own herdr session.
onboarding = false
[update]
version_check = false
manifest_check = false
[session]
resume_agents_on_restore = false
`;
