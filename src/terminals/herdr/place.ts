import { mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { Fault } from '../../shared/fault.ts';

/** Where one herdr server is reached, and how it is started when it is not there. */
export interface HerdrPlace {
  readonly socket: string;
  /** What a person names it by; undefined for the one that herdr itself finds. */
  readonly session: string | undefined;
  readonly env: NodeJS.ProcessEnv;
  /** Ours alone: nobody's settings but ours count there. */
  readonly isOwn: boolean;
  /** Of the state folder: what we note of this ledger's terminals. */
  readonly folder: string;
}

export interface PlaceOptions {
  readonly stateFolder: string;
  readonly ledgerId: string;
  readonly env: NodeJS.ProcessEnv;
  /** `current`: the one that herdr finds by its own variables, else its default. */
  readonly session: string;
}

/** A person's own session is never given settings of ours. */
const ownSession = 'signalbox';

/** The address of a unix socket, its end included. */
const addressBytes = process.platform === 'darwin' ? 104 : 108;

export function findPlace({ stateFolder, ledgerId, env, session }: PlaceOptions): HerdrPlace {
  const place: HerdrPlace = {
    socket: findSocket(session, env),
    session: session === 'current' ? undefined : session,
    env,
    isOwn: session === ownSession,
    folder: join(stateFolder, 'herdr', ledgerId),
  };
  mkdirSync(place.folder, { recursive: true, mode: 0o700 });
  return place;
}

export function findSocket(session: string, env: NodeJS.ProcessEnv): string {
  const socket = session === 'current' ? findCurrent(env) : sessionSocket(session, env);
  if (Buffer.byteLength(socket) < addressBytes) return socket;
  throw new Fault(
    'path-too-long',
    `The path of herdr’s socket, ${socket}, is too long for a socket.`,
    'Set XDG_CONFIG_HOME to a shorter folder, for herdr and for signalbox.',
  );
}

/** As herdr does (0.8.0): its socket, its session, its default. */
function findCurrent(env: NodeJS.ProcessEnv): string {
  return env['HERDR_SOCKET_PATH'] || sessionSocket(env['HERDR_SESSION'] || 'default', env);
}

function sessionSocket(session: string, env: NodeJS.ProcessEnv): string {
  const config = env['XDG_CONFIG_HOME'] || join(env['HOME'] || homedir(), '.config');
  const inside = session === 'default' ? [] : ['sessions', session];
  return join(config, 'herdr', ...inside, 'herdr.sock');
}
