import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../../shared/clock.ts';
import { Fault } from '../../shared/fault.ts';
import { findOnPath } from '../../shared/find-on-path.ts';
import type { HerdrPlace } from './place.ts';
import { ask } from './request.ts';

/** A server restores its workspaces first. */
const startMs = 10_000;

/** What a server of ours needs; nothing that marks a process as nested in an agent or a multiplexer (rule 40). */
const kept =
  /^(PATH|HOME|USER|LOGNAME|SHELL|LANG|LANGUAGE|LC_[A-Z]+|TZ|TMPDIR|XDG_[A-Z]+_(HOME|DIR))$/;

/**
 * Starts the server of that session, headless, and waits until it answers. It belongs to nobody afterwards: like a tmux
 * server it outlives the daemon, and every agent in it with it. One that somebody else has just started is as good.
 */
export async function startServer(place: HerdrPlace, clock: Clock): Promise<void> {
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
  child.on('exit', (code, signal) => {
    ended ??= `exit ${code ?? signal}`;
  });
  child.unref();
  const end = clock.monotonicMs() + startMs;
  while (clock.monotonicMs() < end) {
    if (await answers(place)) return;
    if (ended !== undefined) break;
    await clock.sleep(50);
  }
  if (await answers(place)) return; // It was running already: then `server` ends with 1.
  throw new Error(`herdr did not start (${ended ?? 'no answer'})`);
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

function answers({ socket }: HerdrPlace): Promise<boolean> {
  return ask(socket, { method: 'ping', deadlineMs: 1000 }).then(
    () => true,
    () => false,
  );
}

function serverEnv(place: HerdrPlace): NodeJS.ProcessEnv {
  const env = Object.fromEntries(Object.entries(place.env).filter(([name]) => kept.test(name)));
  if (!place.isOwn) return env;
  const path = join(place.folder, 'config.toml');
  mkdirSync(place.folder, { recursive: true, mode: 0o700 });
  writeFileSync(path, configuration, { mode: 0o600 });
  return { ...env, HERDR_CONFIG_PATH: path };
}

/** No first steps, no look at the network, no agent that comes back by itself and would be a stranger (rule 37). */
const configuration = `# Written by signalbox for its own herdr session.
onboarding = false
[update]
version_check = false
manifest_check = false
[session]
resume_agents_on_restore = false
`;
