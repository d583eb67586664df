import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Profile } from '../profile.ts';
import { configFolder, placeOf, type SessionPlace } from '../socket-paths.ts';
import type { Json } from '../wire/json.ts';
import { ask } from './client.ts';

/** These work with a server of any protocol, and without one. */
export async function runSessionCommand(
  words: readonly string[],
  place: SessionPlace,
  profile: Profile,
): Promise<number | undefined> {
  const command = words.filter((word) => !word.startsWith('-')).join(' ');
  const [group, verb, name = ''] = words;
  if (command === 'server stop') return stop(place);
  if (command === 'status' || command === 'status server') return status(place, profile);
  if (group !== 'session') return undefined;
  if (verb === 'list') return print({ sessions: await listSessions() });
  if (verb === 'stop' && name !== '') {
    const code = await stop(placeOf(name, process.env));
    return code === 0 ? print({ stopped: true, session: await describe(name) }) : code;
  }
  if (verb === 'delete' && name !== '') {
    const session = await describe(name);
    rmSync(placeOf(name, process.env).folder, { recursive: true, force: true });
    return print({ deleted: true, session });
  }
  return undefined;
}

/** It is over when both sockets have gone. */
async function stop(place: SessionPlace): Promise<number> {
  const id = 'cli:server:stop';
  const answer = await ask(place.socket, { id, method: 'server.stop', params: {} });
  if (!answer) {
    const message = `no herdr server is running at ${place.socket}`;
    process.stderr.write(
      `${JSON.stringify({ id, error: { code: 'server_not_running', message } })}\n`,
    );
    return 1;
  }
  const deadline = performance.now() + 15_000;
  while (existsSync(place.socket) || existsSync(place.clientSocket)) {
    if (performance.now() > deadline) return 1;
    await delay(50);
  }
  return 0;
}

async function status(place: SessionPlace, profile: Profile): Promise<number> {
  const pong = await ask(place.socket, { id: 'cli:status', method: 'ping', params: {} });
  const server = pong?.['result'] as Json | undefined;
  const { version, protocol } = profile;
  const session = place.name;
  const binary = process.env['FAKE_HERDR_BIN'] ?? process.argv[1];
  const isCompatible = server?.['protocol'] === protocol;
  return print({
    client: { version, channel: 'stable', protocol, binary, session },
    server: {
      status: server ? 'running' : 'not_running',
      running: server !== undefined,
      ...(server
        ? {
            version: server['version'],
            protocol: server['protocol'],
            capabilities: server['capabilities'],
            compatible: isCompatible,
          }
        : {}),
      socket: place.socket,
      session,
      restart_needed: server !== undefined && !isCompatible,
    },
    update: { restart_needed: server !== undefined && !isCompatible },
  });
}

async function listSessions(): Promise<readonly Json[]> {
  const folder = join(configFolder(process.env), 'sessions');
  const named = existsSync(folder) ? readdirSync(folder).sort() : [];
  return Promise.all(['default', ...named].map(describe));
}

async function describe(name: string): Promise<Json> {
  const { socket, folder } = placeOf(name, process.env);
  const pong = await ask(socket, { id: 'cli:session', method: 'ping', params: {} });
  return {
    name,
    default: name === 'default',
    running: pong !== undefined,
    socket_path: socket,
    session_dir: folder,
  };
}

function print(value: Json): number {
  process.stdout.write(`${JSON.stringify(value)}\n`);
  return 0;
}
