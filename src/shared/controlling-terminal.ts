import { closeSync, openSync } from 'node:fs';

/**
 * Whether somebody can sit at this process: it has a controlling terminal. Cron, CI, a service and
 * a detached process have none (ENXIO), and neither has a machine without the device. A script that
 * a person runs in a terminal counts as the person.
 */
export function hasControllingTerminal(): boolean {
  try {
    closeSync(openSync('/dev/tty', 'r'));
    return true;
  } catch {
    // Whatever the reason: nobody can be shown to sit there.
    return false;
  }
}
