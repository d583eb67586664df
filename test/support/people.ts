import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** Terminals of people's own, each a pane of another tmux: real ones, of any size. */
export interface People {
  /** Attaches to a session of a tmux server; gives the name of the terminal. */
  attach(socket: string, session: string, columns: number, rows: number): string;
  resize(terminal: string, columns: number, rows: number): void;
  /** As when a window is closed: nothing is said to the tmux within. */
  leave(terminal: string): void;
}

export function openPeople(folder: string): People {
  const socket = join(folder, 'outer');
  const outer = (...args: string[]): string => {
    const ran = spawnSync('tmux', ['-S', socket, '-f', '/dev/null', ...args], {
      encoding: 'utf8',
      env: { ...process.env, TMUX: '' },
    });
    if (ran.status !== 0) throw new Error(`tmux ${args.join(' ')}: ${ran.stderr}`);
    return ran.stdout.trim();
  };
  onTestFinished(() => void spawnSync('tmux', ['-S', socket, 'kill-server']));
  // Without it the server ends with the last person, and the next one may meet it while it does.
  outer('new-session', '-d', '-s', 'keeper', 'sleep', '86400');
  return {
    attach: (server, session, columns, rows) =>
      outer(
        ...['set-option', '-g', 'status', 'off', ';', 'new-session', '-d', '-P'],
        ...['-F', '#{session_name}', '-x', String(columns), '-y', String(rows)],
        ...['--', 'tmux', '-S', server, 'attach-session', '-t', session],
      ),
    resize: (terminal, columns, rows) =>
      void outer('resize-window', '-t', terminal, '-x', String(columns), '-y', String(rows)),
    leave: (terminal) => void outer('kill-session', '-t', terminal),
  };
}
