import { refuseForbidden } from './forbidden.ts';
import { quote } from './quoting.ts';

/**
 * A tmux command as words; a word may itself be a list of commands, which tmux gets as one quoted
 * word (`if-shell`, `set-hook`). Everything that is sent to tmux is one of these, and has passed
 * the gate in forbidden.ts.
 */
export type Command = readonly [name: string, ...words: Word[]];
export type CommandList = readonly Command[];
type Word = string | CommandList;

/** The line that a control client reads, or a config file. */
export function renderList(list: CommandList): string {
  const known = rendered.get(list);
  if (known !== undefined) return known;
  for (const command of list) refuseForbidden(command);
  const line = renderChecked(list);
  rendered.set(list, line);
  return line;
}

/** Some lists are kept by those who ask, and sent again and again. */
const rendered = new WeakMap<CommandList, string>();

/** The same for a process of its own: a `;` of its own separates commands. */
export function renderArguments(list: CommandList): readonly string[] {
  for (const command of list) refuseForbidden(command);
  return list.flatMap(([name, ...words], index) => [
    ...(index > 0 ? [';'] : []),
    name,
    // A trailing semicolon of a word would end the command.
    ...words.map((word) => renderWord(word).replace(/;$/, '\\;')),
  ]);
}

function renderChecked(list: CommandList): string {
  return list
    .map(([name, ...words]) => [name, ...words.map((word) => protect(renderWord(word)))].join(' '))
    .join(' ; ');
}

/**
 * Plain words go as they are: quotes within quotes grow fourfold, and bytes for `send-keys` are
 * many words.
 */
function protect(word: string): string {
  return /^-?[A-Za-z0-9]+$/.test(word) ? word : quote(word);
}

function renderWord(word: Word): string {
  return typeof word === 'string' ? word : renderChecked(word);
}
