import { readFileSync, realpathSync } from 'node:fs';

/**
 * Whether anybody is connected to a unix socket, without connecting: Linux lists each end with the
 * path it is bound to, and the state of an accepted one is 03. Undefined where that cannot be told.
 */
export function hasClient(socketPath: string): boolean | undefined {
  try {
    const ending = ` ${realpathSync(socketPath)}`;
    const lines = readFileSync('/proc/net/unix', 'utf8').split('\n');
    const ends = lines.filter((line) => line.endsWith(ending));
    // Not even its listener: a server in another network namespace.
    if (ends.length === 0) return undefined;
    return ends.some((line) => line.split(/\s+/)[5] === connected);
  } catch {
    // The socket is gone, or this system has no such list.
    return undefined;
  }
}

const connected = '03';
