import { describe, expect, test } from 'vitest';
import { type Command, renderArguments, renderList } from './command.ts';
import { serverConfig } from './server-config.ts';

const killers: readonly [what: string, command: Command][] = [
  ['respawn-pane', ['respawn-pane', '-t', '%1']],
  ['respawn-pane -k', ['respawn-pane', '-k', '-t', '%1', 'sh']],
  ['an abbreviation of it', ['respawnp', '-k', '-t', '%1']],
  ['respawn-window', ['respawn-window', '-t', '@1']],
  ['a global window-size manual', ['set-option', '-g', 'window-size', 'manual']],
  ['the same among other flags', ['set-option', '-wg', 'window-size', 'manual']],
  ['the same by its other name', ['set-window-option', '-g', 'window-size', 'manual']],
  ['paste-buffer', ['paste-buffer', '-p', '-t', '%1']],
  ['pipe-pane', ['pipe-pane', '-I', '-t', '%1', 'cat']],
  ['a shell in if-shell', ['if-shell', 'true', 'kill-pane']],
  ['a shell in run-shell', ['run-shell', '-b', 'touch /tmp/x']],
  ['a shell in a format', ['display-message', '-p', '#(touch /tmp/x)']],
  ['a shell in a new session’s name', ['new-session', '-d', '-s', '#(x)', '--', 'sh']],
  ['a name of a key', ['send-keys', '-t', '%1', 'C-m']],
  ['a file that is not ours', ['source-file', '/etc/tmux.conf']],
];

describe.each(killers)('%s', (_, command) => {
  test('is never sent', () => {
    expect(() => renderList([command])).toThrow('refused to send');
    expect(() => renderArguments([command])).toThrow('refused to send');
  });

  test('is not sent inside another command either', () => {
    const guarded: Command = ['if-shell', '-F', '-t', '%1', '1', [command]];
    const hook: Command = ['set-hook', '-g', 'pane-died', [['run-shell', '-b', '-C', [command]]]];
    expect(() => renderList([['list-sessions'], guarded])).toThrow('refused to send');
    expect(() => renderList([hook])).toThrow('refused to send');
  });
});

test('a paste is sent where the same command asks whether the pane lives, and nowhere else', () => {
  const paste: Command = ['paste-buffer', '-r', '-d', '-b', 'x', '-t', '%1'];
  const isAlive = '#{&&:#{==:#{@sbx-agent},a},#{==:#{pane_dead},0}}';
  const other: Command = ['display-message', '-p', 'gone'];
  const guarded: Command = ['if-shell', '-F', '-t', '%1', isAlive, [paste], [other]];
  expect(renderList([guarded])).toContain('paste-buffer');
  const reversed: Command = ['if-shell', '-F', '-t', '%1', isAlive, [other], [paste]];
  expect(() => renderList([reversed])).toThrow('crashes the server');
});

test('what is only data may hold anything: an environment, an argument, an option’s value', () => {
  const list: Command[] = [
    ['set-option', '-g', '@sbx-cwd', '/tmp/#(x)'],
    ['new-session', '-d', '-E', '-e', 'A=#(x)', '--', 'sh', '-c', 'echo "#(x)"'],
  ];
  expect(renderList(list)).toContain('"A=#(x)"');
});

test('our own configuration passes the gate', () => {
  expect(() => renderList(serverConfig)).not.toThrow();
});

test('commands within commands keep their words', () => {
  const list: Command[] = [['if-shell', '-F', '#{x}', [['display-message', '-p', 'a "b"']]]];
  expect(renderList(list)).toBe('if-shell -F "#{x}" "display-message -p \\"a \\\\\\"b\\\\\\"\\""');
});
