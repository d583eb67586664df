import { homedir } from 'node:os';
import { join } from 'node:path';

/** Where one session keeps its sockets and its state. */
export interface SessionPlace {
  readonly name: string;
  readonly folder: string;
  readonly socket: string;
  /** The real one speaks a binary protocol here; the fake uses it for `terminal session` alone. */
  readonly clientSocket: string;
  /** The real one has none; see chaos/desk.ts. */
  readonly chaosSocket: string;
  readonly state: string;
}

/** As herdr 0.8.0 resolves it: an explicit name, HERDR_SOCKET_PATH, HERDR_SESSION, the default. */
export function findPlace(explicit: string | undefined, env: NodeJS.ProcessEnv): SessionPlace {
  const path = env['HERDR_SOCKET_PATH'];
  if (explicit === undefined && path) {
    const folder = join(path, '..');
    return {
      name: 'default',
      folder,
      socket: path,
      clientSocket: path.replace(/(\.sock)?$/, '-client.sock'),
      chaosSocket: `${path}.chaos`,
      state: join(folder, 'session.json'),
    };
  }
  return placeOf(explicit ?? env['HERDR_SESSION'] ?? 'default', env);
}

export function placeOf(name: string, env: NodeJS.ProcessEnv): SessionPlace {
  const root = configFolder(env);
  const folder = name === 'default' ? root : join(root, 'sessions', name);
  return {
    name,
    folder,
    socket: join(folder, 'herdr.sock'),
    clientSocket: join(folder, 'herdr-client.sock'),
    chaosSocket: join(folder, 'herdr.sock.chaos'),
    state: join(folder, 'session.json'),
  };
}

export function configFolder(env: NodeJS.ProcessEnv): string {
  return join(env['XDG_CONFIG_HOME'] || join(env['HOME'] || homedir(), '.config'), 'herdr');
}

export function isSessionName(name: string): boolean {
  return /^[A-Za-z0-9._-]{1,64}$/.test(name) && name !== '.' && name !== '..';
}
