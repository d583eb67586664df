import { createHash } from 'node:crypto';
import { lstatSync, mkdirSync, readlinkSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { Fault } from './fault.ts';

/**
 * The address of a unix socket holds 104 bytes on macOS and 108 on Linux, its end included; some
 * room for a suffix.
 */
const addressBytes = 100;

/**
 * A path to `name` in `folder` that fits into a socket's address. A folder that is too deep is
 * reached through a link of ours with a short name: the socket itself always lies in the folder, so
 * whoever comes by another way, or after the link was cleaned away, meets the same one.
 */
export function shortSocketPath(folder: string, name: string, env: NodeJS.ProcessEnv): string {
  const path = join(folder, name);
  if (Buffer.byteLength(path) <= addressBytes) return path;
  const target = realpathSync(folder);
  const link = createHash('sha256').update(target).digest('hex').slice(0, 16);
  const places = [env['XDG_RUNTIME_DIR'], env['TMPDIR'], tmpdir(), '/tmp'];
  for (const place of places) {
    const candidate = place && join(place, `signalbox-${userInfo().uid}`, link);
    if (!candidate || Buffer.byteLength(join(candidate, name)) > addressBytes) continue;
    if (ownFolder(join(candidate, '..')) && pointTo(candidate, target))
      return join(candidate, name);
  }
  throw new Fault(
    'path-too-long',
    `The path ${path} is too long for a socket, and no folder for a short link to it is ours alone.`,
    'Set SIGNALBOX_HOME to a shorter folder.',
  );
}

/**
 * Anyone may have made a folder of that name in a shared /tmp: only one that is ours alone is
 * trusted.
 */
function ownFolder(path: string): boolean {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') return false;
  }
  const found = lstatSync(path);
  return found.isDirectory() && found.uid === userInfo().uid && (found.mode & 0o077) === 0;
}

function pointTo(link: string, target: string): boolean {
  for (let tries = 0; tries < 3; tries++) {
    try {
      symlinkSync(target, link);
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') return false;
    }
    // In a folder that is ours alone only we made it; a wrong one is of a state folder that was
    // moved.
    if (readTarget(link) === target) return true;
    rmSync(link, { force: true });
  }
  return false;
}

function readTarget(link: string): string | undefined {
  try {
    return readlinkSync(link);
  } catch {
    // No link is there, or it cannot be read: then it is made anew.
    return undefined;
  }
}
