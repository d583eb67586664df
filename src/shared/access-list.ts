import { execFileSync } from 'node:child_process';

/** Where systems have it; a PATH of somebody else's choosing would be asked what to believe. */
const env = { PATH: '/usr/bin:/bin:/run/current-system/sw/bin', LC_ALL: 'C' };

/**
 * Whether an access list (POSIX ACL) stands behind the mode of a path: the bits of the group are
 * then the mask of everybody whom it names. Node cannot ask, but `ls` shows it by a plus sign; the
 * `ls` of BusyBox does not.
 */
export function hasAccessList(path: string): boolean {
  try {
    const shown = execFileSync('ls', ['-ldn', '--', path], {
      env,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return shown[10] === '+';
  } catch {
    return true; // A path that cannot be asked about is not believed.
  }
}
