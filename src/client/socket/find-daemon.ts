import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { daemonInfoPath, type Folders } from '../../config/folders.ts';
import { liesIn, requireOwnFolder, requireOwnSocket } from '../../config/own-folder.ts';
import { type DaemonInfo, protocolVersion } from '../../protocol/daemon.ts';
import { Fault } from '../../shared/fault.ts';
import { type ProcessIdentity, systemHost } from '../../shared/processes.ts';
import { shortSocketPath } from '../../shared/short-path.ts';

/**
 * What the state folder says about who runs; whether that is still true is found out by asking.
 * Everything that is sent to a daemon goes by this, so that nothing is sent while the folder or the
 * socket may be somebody else's.
 */
export function findDaemon(folders: Folders): DaemonInfo | undefined {
  requireOwnFolder(folders);
  const info = readInfo(folders);
  if (info?.socket === undefined) return info;
  const { socket: written, ...rest } = info;
  const socket = liesIn(written, folders) ? written : findOwnSocket(folders);
  if (socket === undefined) return rest;
  requireOwnSocket(socket);
  return { ...rest, socket };
}

/**
 * The socket lies in the state folder, wherever a short link to it was. A path that leads elsewhere
 * was written before the folder was moved, or through a link that is gone: it is never followed,
 * and the daemon, if it lives, is asked by the folder's own way.
 */
function findOwnSocket({ state }: Folders): string | undefined {
  const run = join(state, 'run');
  return existsSync(run) ? shortSocketPath(run, 'daemon.sock', process.env) : undefined;
}

function readInfo(folders: Folders): DaemonInfo | undefined {
  try {
    const info = JSON.parse(readFileSync(daemonInfoPath(folders), 'utf8')) as Partial<DaemonInfo>;
    return typeof info.pid === 'number' && typeof info.protocol === 'number'
      ? (info as DaemonInfo)
      : undefined;
  } catch {
    // None has written it, or not to its end yet.
    return undefined;
  }
}

/** `unknown` where its process cannot be seen, from inside a container say. */
export function judgeDaemon({ pid, startedAt, host }: DaemonInfo): 'alive' | 'dead' | 'unknown' {
  const { boot, pidSpace } = systemHost.identity;
  if (host !== systemHost.identity.host) return 'unknown';
  const other: ProcessIdentity = { host, boot, pidSpace, pid, startedAt };
  return systemHost.judge(other);
}

/** Said before anything is asked: the two would misunderstand each other. */
export function requireSameProtocol(info: DaemonInfo): void {
  if (info.protocol === protocolVersion) return;
  const isOlder = info.protocol < protocolVersion;
  throw new Fault(
    'protocol-mismatch',
    `The daemon that runs here (signalbox ${info.version}, pid ${info.pid}) is ${isOlder ? 'older' : 'newer'} than this command: it speaks protocol ${info.protocol}, this ${protocolVersion}.`,
    isOlder
      ? 'Run `signalbox down`, then the command again: it starts a new one. Agents live on.'
      : 'Upgrade this signalbox, or run `signalbox down` first. Agents live on.',
  );
}
