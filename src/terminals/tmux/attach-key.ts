import { type KeyName, parseKeyName } from '../../shared/key-name.ts';
import type { Command, CommandList } from './command.ts';

/**
 * The key by which a person leaves an agent's terminal: bound in the root table of our own server,
 * so that it works without tmux's prefix. Inside a tmux of the person's own, the prefix is that
 * one's, and Ctrl-b d would take the person out of it. tmux takes the key before the program sees
 * it, also in copy mode and behind the prefix (3.3a). It goes through in two cases, and no CLI does
 * anything with it: in a burst of three keys or more within 1 ms, which tmux takes for a paste (and
 * without that, a pasted text could give commands to tmux), and from `send-keys`.
 */
export function changeKey(before: string, key: KeyName | undefined): CommandList {
  const old = isBoundKey(before) && before !== key?.tmux ? [unbind(before)] : [];
  return [
    ...old,
    ...(key === undefined ? [] : [bind(key.tmux)]),
    ['set-environment', '-g', '-h', shownKey, key?.label ?? ''],
    ['set-environment', '-g', '-h', boundKey, key?.tmux ?? ''],
  ];
}

/** Hidden variables of our server: formats can read them, and no program gets them. */
export const shownKey = 'SIGNALBOX_KEY';
export const boundKey = 'SIGNALBOX_BOUND';

/** A key of the form that the setting allows, as tmux writes it. */
export function isBoundKey(key: string): boolean {
  return parseKeyName(key)?.tmux === key;
}

/**
 * All that the key does. In copy mode nothing is typed for an agent, so the last person who leaves
 * takes the pane out of it; what they had scrolled to is only a view.
 */
export const leave: CommandList = [
  [
    'if-shell',
    '-F',
    '#{&&:#{pane_in_mode},#{==:#{window_active_clients},1}}',
    [['copy-mode', '-q']],
  ],
  ['detach-client'],
];

function bind(key: string): Command {
  return ['bind-key', '-T', 'root', key, leave];
}

function unbind(key: string): Command {
  return ['unbind-key', '-q', '-T', 'root', key];
}
