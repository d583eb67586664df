import type { CommandList } from './command.ts';
import { statusLeft, statusRight, windowStatus } from './status-format.ts';

/** Lines, kept only as they are printed: an answer of 1 MB fits at 80 columns. */
export const historyLimit = 20_000;

/**
 * What our server is set to, at its start from a file and again at every connection: a server may
 * be older than this version of signalbox. A user's own tmux.conf is never read:
 * `destroy-unattached on` in it would end every agent that nobody looks at.
 */
export const serverConfig: CommandList = [
  ['set-option', '-s', 'exit-empty', 'off'],
  ['set-option', '-s', 'exit-unattached', 'off'],
  ['set-option', '-g', 'destroy-unattached', 'off'],
  // The exit code and the last screen are read from the dead pane.
  ['set-option', '-wg', 'remain-on-exit', 'on'],
  // Its notice would push the first line off that screen.
  ['set-option', '-wg', 'remain-on-exit-format', ''],
  ['set-option', '-g', 'history-limit', String(historyLimit)],
  ['set-option', '-wg', 'automatic-rename', 'off'],
  ['set-option', '-wg', 'allow-rename', 'off'],
  ['set-option', '-wg', 'window-size', 'latest'],
  // tmux logs every command with its arguments, and `new-session -e` holds an agent's secrets.
  ['set-option', '-s', 'message-limit', '0'],
  // For people who attach: no half second of waiting after Escape, a wheel that scrolls, a status
  // line that says where they are and how they come back.
  ['set-option', '-s', 'escape-time', '10'],
  ['set-option', '-g', 'mouse', 'on'],
  // Seconds. Formats are read that often for each person who is attached, and for nobody else; what
  // has not changed is not drawn.
  ['set-option', '-g', 'status-interval', '2'],
  ['set-option', '-g', 'status-left', statusLeft],
  ['set-option', '-g', 'status-left-length', '60'],
  ['set-option', '-g', 'status-right', statusRight],
  ['set-option', '-g', 'status-right-length', '40'],
  ['set-option', '-wg', 'window-status-format', windowStatus],
  ['set-option', '-wg', 'window-status-current-format', windowStatus],
];
