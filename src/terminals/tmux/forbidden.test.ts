import { describe, expect, test } from 'vitest';
import { changeKey, leave } from './attach-key.ts';
import { type Command, renderArguments, renderList } from './command.ts';
import { guardFormats } from './guard.ts';
import { allOf } from './identity.ts';
import { mayType, typingConditions } from './may-type.ts';
import { peopleNotices } from './people-notices.ts';
import { serverConfig } from './server-config.ts';

const notice = peopleNotices['paste-left'];

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
  ['bytes for whoever reads there', ['send-keys', '-H', '-t', '%1', '0d']],
  ['a hook that runs at once', ['set-hook', '-R', 'pane-died', [['list-sessions']]]],
  ['a hook of one pane', ['set-hook', '-p', '-t', '%1', 'pane-died', [['list-sessions']]]],
  ['a hook that is added', ['set-hook', '-ga', 'pane-died', [['list-sessions']]]],
  ['another hook', ['set-hook', '-g', 'after-send-keys', [['list-sessions']]]],
  ['a hook as an option', ['set-option', '-g', 'pane-died', 'list-sessions']],
  ['an alias', ['set-option', '-s', 'command-alias[9]', 'send-keys=respawn-pane']],
  ['a key that does something else', ['bind-key', '-T', 'root', 'F9', [['kill-server']]]],
  ['what our key does, made again', ['bind-key', '-T', 'root', 'F9', [['detach-client']]]],
  ['a key that programs need', ['bind-key', '-T', 'root', 'C-c', leave]],
  ['a key of another table', ['bind-key', '-T', 'prefix', 'F9', leave]],
  ['a key that is a command', ['bind-key', '-T', 'root', 'F9 ; kill-server', leave]],
  ['every key unbound', ['unbind-key', '-a', '-T', 'root']],
  ['a key of tmux itself unbound', ['unbind-key', '-q', '-T', 'root', 'WheelUpPane']],
  ['a client that is sent away', ['detach-client', '-a']],
  ['a mode of a person that is ended', ['copy-mode', '-q']],
  ['a mode that is entered', ['copy-mode', '-t', '%1']],
  ['a mode of one pane that is ended', ['copy-mode', '-q', '-t', '%1']],
  ['synchronised panes', ['set-option', '-w', '-t', '%1', 'synchronize-panes', 'on']],
  ['a hook whose commands nobody has read', ['set-hook', '-g', 'pane-died', 'list-sessions']],
  ['a condition whose commands nobody has read', ['if-shell', '-F', '1', 'list-sessions']],
  ['a file that is not ours', ['source-file', '/etc/tmux.conf']],
  ['words of somebody else for a person', ['display-message', '-c', 'c', '-d', '9', 'hello']],
  ['a notice that swallows keys', ['display-message', '-N', '-c', 'c', '-d', '9', notice]],
  ['a notice to a client that is none', ['display-message', '-c', '#(x)', '-d', '9', notice]],
  ['a notice for ever', ['display-message', '-c', 'c', '-d', '0', notice]],
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

describe('copy mode that a person has left behind', () => {
  const nobody = '#{==:#{window_active_clients},0}';
  const send = (condition: string, ...words: string[]) =>
    renderList([['if-shell', '-F', '-t', '%1', condition, [['copy-mode', ...words]]]] as Command[]);

  test('is ended where nobody looks', () => {
    expect(() => send(nobody, '-q', '-t', '%1')).not.toThrow();
    expect(() => send(`#{&&:#{x},${nobody}}`, '-q', '-t', '%1')).not.toThrow();
  });

  test('is not ended over anybody, nor in another pane', () => {
    expect(() => send('#{x}', '-q', '-t', '%1')).toThrow('refused to send');
    expect(() => send(`#{||:#{x},${nobody}}`, '-q', '-t', '%1')).toThrow('refused to send');
    expect(() => send(nobody, '-q', '-t', '%2')).toThrow('refused to send');
    expect(() => send(nobody, '-q')).toThrow('refused to send');
    expect(() => send(nobody, '-t', '%1')).toThrow('refused to send');
  });
});

describe('a window that is given another size', () => {
  const resize: Command = ['resize-window', '-t', '@1', '-x', '120', '-y', '40'];
  const takeBack: Command = ['set-option', '-w', '-u', '-t', '@1', 'window-size'];
  const send = (...list: Command[]) =>
    renderList([['if-shell', '-F', '-t', '%1', '#{x}', list]] as Command[]);

  test('is not left with that size fixed', () => {
    expect(send(resize, takeBack)).toContain('resize-window');
    expect(() => send(resize)).toThrow('refused to send');
    expect(() => send(takeBack, resize)).toThrow('refused to send');
    expect(() => renderList([resize, takeBack])).toThrow('refused to send');
    const other: Command = ['set-option', '-w', '-u', '-t', '@2', 'window-size'];
    expect(() => send(resize, other)).toThrow('refused to send');
    const all: Command = ['set-option', '-wg', 'window-size', 'latest'];
    expect(() => send(resize, all)).toThrow('refused to send');
  });

  test('is named, with the size', () => {
    const flags: Command[] = [
      ['resize-window', '-A', '-t', '@1'],
      ['resize-window', '-t', 'agent', '-x', '120', '-y', '40'],
      ['resize-window', '-x', '120', '-y', '40'],
    ];
    for (const wrong of flags) expect(() => send(wrong, takeBack)).toThrow('refused to send');
  });
});

const paste: Command = ['paste-buffer', '-r', '-d', '-b', 'x', '-t', '%1'];
const key: Command = ['send-keys', '-H', '-t', '%1', '0d'];
const other: Command = ['display-message', '-p', 'gone'];
const whole = mayType('%1', '#{==:#{@sbx-agent},a}');
const under = (condition: string, ...list: Command[]): Command =>
  [...['if-shell', '-F', '-t', '%1', condition], list, [other]] as unknown as Command;

describe.each([
  ['a paste', paste],
  ['a key', key],
])('rule 45: %s', (_, typed) => {
  test('is sent where the same command asks all that must hold for it', () => {
    expect(renderList([under(whole, typed, other)])).toContain(typed[0]);
  });

  test('is sent under patterns with every sign that ends a part of a format', () => {
    const screen = { absent: ['a, b} #c #{d', '}', ','], present: [{ regex: 'x{1,2}' }] };
    const { untyped, uncovered } = guardFormats('%1', { untypedSince: '$1.2.3:', screen });
    const guarded = allOf(whole, ...untyped, ...uncovered);
    expect(renderList([under(guarded, typed, other)])).toContain(typed[0]);
    // Such a sign hides no part that is missing.
    const [first = '', ...others] = typingConditions('%1');
    const lacking = allOf('1', ...others, ...untyped, ...uncovered);
    expect(() => renderList([under(lacking, typed)])).toThrow('rule 45');
    const hidden = lacking.replace('a#,', `a${first}#,`);
    expect(() => renderList([under(hidden, typed)])).toThrow('rule 45');
  });

  test.each(typingConditions('%1'))('is refused where nobody asks for %s', (condition) => {
    const others = typingConditions('%1').filter((one) => one !== condition);
    const lacking = allOf('#{==:#{@sbx-agent},a}', ...others);
    expect(() => renderList([under(lacking, typed)])).toThrow('rule 45');
    // To name it is not enough: it must hold.
    expect(() => renderList([under(`#{||:${condition},${lacking}}`, typed)])).toThrow('rule 45');
    const denied = allOf(lacking, `#{==:${condition},0}`);
    expect(() => renderList([under(denied, typed)])).toThrow('rule 45');
    expect(() => renderList([under(`${lacking}${condition}`, typed)])).toThrow('rule 45');
  });

  test('is refused in the other branch, in a list within the list, and beside what could change the answer', () => {
    const reversed = [...under(whole, other).slice(0, -1), [typed]] as unknown as Command;
    expect(() => renderList([reversed])).toThrow('rule 45');
    const inner: Command = ['if-shell', '-F', '-t', '%1', '1', [typed]];
    expect(() => renderList([under(whole, inner)])).toThrow('rule 45');
    const change: Command = ['link-window', '-d', '-s', '@1', '-t', '$1:'];
    expect(() => renderList([under(whole, change, typed)])).toThrow('rule 45');
  });

  test('is refused where another pane was asked about', () => {
    const elsewhere = typed.map((word) => (word === '%1' ? '%2' : word)) as unknown as Command;
    expect(() => renderList([under(whole, elsewhere)])).toThrow('rule 45');
    const about: Command = ['if-shell', '-F', '-t', '%2', whole, [elsewhere]];
    expect(() => renderList([about])).toThrow('rule 45');
    const nowhere: Command = ['if-shell', '-F', whole, [typed]];
    expect(() => renderList([nowhere])).toThrow('rule 45');
  });
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

test.each(['', 'F9', 'C-]'])(
  'the key that leaves passes the gate, also where %j was bound',
  (old) => {
    expect(renderList(changeKey(old, { label: 'Alt-q', tmux: 'M-q' }))).toContain('detach-client');
    expect(renderList(changeKey(old, undefined))).not.toContain('bind-key -T root M-q');
  },
);

test('what somebody has put in the place of our key’s name unbinds nothing', () => {
  const list = changeKey('WheelUpPane', undefined);
  expect(list.map(([name]) => name)).toEqual(['set-environment', 'set-environment']);
});

test('commands within commands keep their words', () => {
  const list: Command[] = [['if-shell', '-F', '#{x}', [['display-message', '-p', 'a "b"']]]];
  expect(renderList(list)).toBe('if-shell -F "#{x}" "display-message -p \\"a \\\\\\"b\\\\\\"\\""');
});
