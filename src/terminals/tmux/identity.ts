import type { Terminal } from '../terminal.ts';
import type { CommandList } from './command.ts';

/**
 * How a pane says who it is. Its user options survive renaming, moving, splitting and the death of
 * its program, and end with the server; its id is unique only within one server, and its process
 * may be replaced by a person ("respawn").
 */
export const marks = {
  ledger: '@sbx-ledger',
  agent: '@sbx-agent',
  epoch: '@sbx-epoch',
  /** The process we started: tmux 3.8 forgets the pid of a dead pane. */
  pid: '@sbx-pid',
  startedAt: '@sbx-started',
  log: '@sbx-log',
  /** Its last screen is in the log. */
  noted: '@sbx-noted',
  /** On panes of programs that an agent needs beside it: the agent they belong to. */
  helper: '@sbx-helper',
  /** Wall seconds of the last key that a person had us press. */
  pressed: '@sbx-pressed',
  /** The size it was launched with, `120x40`: it gets that back when people have left. */
  size: '@sbx-size',
} as const;

/** tmux gives a program that sets none the host's name for a title. */
export const titleFormat =
  '#{?#{||:#{==:#{pane_title},#{host}},#{==:#{pane_title},#{host_short}}},,#{pane_title}}';

export const serverFormat = '#{pid}:#{start_time}';

/**
 * True inside tmux for this terminal alone. The pane's id is part of it because `if-shell -t` with
 * a pane that is gone does not fail: tmux (3.3a) then asks about some other pane.
 */
export function identityFormat(ledgerId: string, terminal: Terminal): string {
  return allOf(
    equal('#{pane_id}', terminal.pane),
    equal(serverFormat, terminal.server),
    equal(`#{${marks.ledger}}`, ledgerId),
    equal(`#{${marks.agent}}`, terminal.agent),
    equal(`#{${marks.epoch}}`, String(terminal.epoch)),
    equal(`#{?pane_dead,#{${marks.pid}},#{pane_pid}}`, String(terminal.pid)),
  );
}

/**
 * Runs the list only where the condition holds for that pane, with nothing in between; otherwise
 * says `gone`.
 */
export function guarded(pane: string, condition: string, list: CommandList): CommandList {
  return [['if-shell', '-F', '-t', pane, condition, list, [['display-message', '-p', gone]]]];
}

export const gone = 'gone';

export function allOf(first: string, ...rest: string[]): string {
  return rest.reduce((all, next) => `#{&&:${all},${next}}`, first);
}

export function equal(format: string, value: string): string {
  // A comma or a brace would end the comparison and make another one of it.
  if (!/^[\w:%@$.-]*$/.test(value)) throw new RangeError(`not part of an identity: ${value}`);
  return `#{==:${format},${value}}`;
}
