import { closeSync, fstatSync, readFileSync } from 'node:fs';
import { isatty } from 'node:tty';

/**
 * When Node ends, it sets its terminal back to the mode that it found at its start (20.20.2). A
 * command that a shell runs in the background (`signalbox run-task … &`) finds the shell's own raw
 * mode, and ends while another program has the terminal: Ctrl-d and Enter would mean nothing to
 * that one any more. So a command in the background lets go of the terminal first.
 */
export function leaveTerminalAsItIs(): void {
  if (isInForeground()) return;
  for (const fd of [0, 1, 2]) if (isOpenTerminal(fd)) closeSync(fd);
}

function isOpenTerminal(fd: number): boolean {
  try {
    fstatSync(fd);
  } catch {
    // It was closed: Node leaves it alone as well.
    return false;
  }
  return isatty(fd);
}

/** True where the system does not tell: Node then does what it always does. */
function isInForeground(): boolean {
  try {
    // After the name, which may hold anything: state, parent, group, session, terminal, the group
    // that has the terminal.
    const [, rest = ''] = readFileSync('/proc/self/stat', 'utf8').split(/\)(?=[^)]*$)/);
    const [, , group, , , foreground] = rest.trim().split(' ');
    return group === foreground || foreground === undefined;
  } catch {
    // There is no /proc, or it cannot be read.
    return true;
  }
}
