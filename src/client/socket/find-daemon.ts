import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import packageJson from '../../../package.json' with { type: 'json' };
import { daemonInfoPath, type Folders } from '../../config/folders.ts';
import { liesIn, requireOwnFolder, requireOwnSocket } from '../../config/own-folder.ts';
import { type DaemonInfo, protocolVersion } from '../../protocol/daemon.ts';
import { compareVersions } from '../../shared/compare-versions.ts';
import { isDiskTrouble } from '../../shared/disk-trouble.ts';
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

/** As it stands in the file; nothing of it has been checked. */
export function readInfo(folders: Folders): DaemonInfo | undefined {
  try {
    const info = JSON.parse(readFileSync(daemonInfoPath(folders), 'utf8')) as Partial<DaemonInfo>;
    const isNamed = typeof info.pid === 'number' && typeof info.startedAt === 'string';
    return isNamed && typeof info.protocol === 'number' ? (info as DaemonInfo) : undefined;
  } catch (error) {
    // None has written it, or not to its end yet.
    if (!isDiskTrouble(error)) return undefined;
    throw new Fault(
      'disk-trouble',
      `signalbox cannot tell whether a daemon runs: ${daemonInfoPath(folders)} cannot be read (${error.code}).`,
      'Try again once the disk gives it.',
      { cause: error },
    );
  }
}

/** `unknown` where its process cannot be seen, from inside a container say. */
export function judgeDaemon({ pid, startedAt, host }: DaemonInfo): 'alive' | 'dead' | 'unknown' {
  const { boot, pidSpace } = systemHost.identity;
  if (host !== systemHost.identity.host) return 'unknown';
  const other: ProcessIdentity = { host, boot, pidSpace, pid, startedAt };
  return systemHost.judge(other);
}

/** Told by its protocol, and where that is the same by its version. */
export function compareToOurs({
  protocol,
  version,
}: Pick<DaemonInfo, 'protocol' | 'version'>): 'older' | 'same' | 'newer' {
  const difference = protocol - protocolVersion || compareVersions(version, packageJson.version);
  if (difference === 0) return 'same';
  return difference < 0 ? 'older' : 'newer';
}

/** An older one that we cannot see runs elsewhere, and is not ours to replace. */
export function requireNotOlder(info: DaemonInfo): void {
  if (info.protocol >= protocolVersion || judgeDaemon(info) !== 'unknown') return;
  throw new Fault(
    'protocol-mismatch',
    `The daemon of this state folder (signalbox ${info.version}, pid ${info.pid} on ${info.host}) is older than this command (signalbox ${packageJson.version}), and runs where its process cannot be seen.`,
    `Upgrade signalbox on ${info.host}, or give this machine a SIGNALBOX_HOME of its own.`,
  );
}

/**
 * Said before anything is asked: the two would misunderstand each other. An older daemon is
 * replaced instead (`start-daemon.ts`); a newer one is never replaced by an older command.
 */
export function requireNotNewer(info: DaemonInfo): void {
  if (info.protocol <= protocolVersion) return;
  throw new Fault(
    'protocol-mismatch',
    `The daemon that runs here (signalbox ${info.version}, pid ${info.pid}) is newer than this command (signalbox ${packageJson.version}): it speaks protocol ${info.protocol}, this ${protocolVersion}.`,
    'Call the newer signalbox (`type -a signalbox` lists those on your PATH), or upgrade this one.',
  );
}
