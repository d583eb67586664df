import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { buildSync, stop } from 'esbuild';
import { waitUntil } from '../../support/wait-until.ts';
import { ask } from './cli/client.ts';
import type { Habit } from './profile.ts';
import type { Json } from './wire/json.ts';

export interface HerdrOptions {
  readonly version?: '0.8.0' | '0.6.8';
  /** Habits of the real one that are to be left out. */
  readonly without?: readonly Habit[];
  readonly env?: Readonly<Record<string, string>>;
  /** A real herdr to start instead. */
  readonly binary?: string;
}

/** A herdr server with folders of its own; it and everything in it ends with `stop`. */
export interface Herdr {
  readonly bin: string;
  readonly socket: string;
  readonly env: NodeJS.ProcessEnv;
  readonly folder: string;
  readonly pid: number;
  /** Only for the fake: trouble on demand, and what clients did. See chaos/desk.ts. */
  chaos(command: Json): Promise<Json>;
  /** SIGKILL: what it leaves behind is left. */
  kill(): Promise<void>;
  /** After a stop by others, or a kill. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * An executable named `herdr` in the folder, for HERDR_BIN and for PATH. It runs a bundle that is
 * made here: from source every start, and every command, would take a quarter of a second longer.
 */
export function writeHerdrScript(folder: string): string {
  const path = join(folder, 'herdr');
  const bundle = join(folder, 'herdr.mjs');
  writeFileSync(bundle, bundled());
  const words = [process.execPath, bundle].map((word) => `'${word}'`).join(' ');
  writeFileSync(path, `#!/bin/sh\nFAKE_HERDR_BIN="$0" exec ${words} "$@"\n`);
  chmodSync(path, 0o755);
  return path;
}

let bundleText: string | undefined;

function bundled(): string {
  if (bundleText !== undefined) return bundleText;
  const { outputFiles } = buildSync({
    entryPoints: [resolve(import.meta.dirname, 'main.ts')],
    bundle: true,
    write: false,
    platform: 'node',
    format: 'esm',
    logLevel: 'error',
  });
  void stop(); // It would leave a process of its own behind.
  bundleText = outputFiles.map(({ text }) => text).join('');
  return bundleText;
}

export async function startHerdr(options: HerdrOptions = {}): Promise<Herdr> {
  // Short: a socket's path may have 108 bytes.
  const folder = mkdtempSync(join(tmpdir(), 'hd-'));
  const config = join(folder, 'c');
  const variant = process.env['HERDR_BIN_IS_DEBUG'] ? 'herdr-dev' : 'herdr';
  mkdirSync(join(config, variant), { recursive: true });
  writeFileSync(join(config, variant, 'config.toml'), configuration);
  const bin = options.binary ?? writeHerdrScript(folder);
  const env = {
    ...withoutHerdr(process.env),
    HOME: folder,
    SHELL: '/bin/sh',
    PS1: '$ ',
    XDG_CONFIG_HOME: config,
    XDG_STATE_HOME: join(folder, 's'),
    FAKE_HERDR_VERSION: options.version ?? '0.8.0',
    FAKE_HERDR_WITHOUT: (options.without ?? []).join(','),
    ...options.env,
  };
  const socket = join(config, variant, 'herdr.sock');
  let server = await launch(bin, env, socket);
  const ended = () => new Promise<void>((done) => whenEnded(server, done));
  return {
    bin,
    socket,
    env,
    folder,
    get pid() {
      return server.pid ?? 0;
    },
    chaos: async (command) => {
      const answer = await ask(`${socket}.chaos`, command);
      if (!answer || answer['error']) throw new Error(`chaos: ${JSON.stringify(answer)}`);
      return answer;
    },
    kill: async () => {
      server.kill('SIGKILL');
      await ended();
    },
    restart: async () => {
      await ended();
      server = await launch(bin, env, socket);
    },
    stop: async () => {
      if (server.exitCode === null && server.signalCode === null) {
        server.kill('SIGTERM');
        await ended();
      }
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** No first steps, no look at the network, no agents that come back by themselves. */
export const configuration = `onboarding = false
[update]
version_check = false
manifest_check = false
[terminal]
default_shell = "/bin/sh"
[session]
resume_agents_on_restore = false
`;

async function launch(bin: string, env: NodeJS.ProcessEnv, socket: string): Promise<ChildProcess> {
  const server = spawn(bin, ['server'], { env, stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  server.stderr?.on('data', (chunk) => {
    said += String(chunk);
  });
  await waitUntil('herdr answers a ping', async () => {
    if (server.exitCode !== null) throw new Error(`herdr ended: ${said}`);
    return ask(socket, { id: 'start', method: 'ping', params: {} });
  });
  return server;
}

function whenEnded(server: ChildProcess, done: () => void): void {
  if (server.exitCode !== null || server.signalCode !== null) done();
  else server.once('exit', done);
}

/** A test that itself runs in a herdr pane must not reach that server. */
function withoutHerdr(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !/^(FAKE_)?HERDR_/.test(name)));
}
