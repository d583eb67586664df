import { isBoundKey, leave } from './attach-key.ts';
import type { Command, CommandList } from './command.ts';
import { splitAll } from './conditions.ts';
import { marks } from './identity.ts';
import { isEndOfLeftMode } from './left-mode.ts';
import { typingConditions } from './may-type.ts';
import { isClientName, peopleNotices } from './people-notices.ts';
import { serverConfig } from './server-config.ts';

/**
 * The gate that every command passes. Some commands crash the tmux server, and with it every agent,
 * on versions that people have; some run a shell on text that we did not write; some type into
 * panes that nobody meant. A name that is not listed is refused too: tmux takes any unambiguous
 * abbreviation, and a gate that knows only the full names of what is bad would let `respawnp`
 * through.
 */
export function refuseForbidden(command: Command, guard: Guard = unguarded): void {
  const [name, ...words] = command;
  const broken = allowed.has(name)
    ? prohibitions.find(({ isBroken }) => isBroken(name, words, guard))?.why
    : 'it is not among the commands that signalbox uses';
  // Not a Fault: no user can cause it, and nothing was sent.
  if (broken) throw new Error(`refused to send tmux "${name}": ${broken}`);
  // What a key does is one list, which was read whole.
  const lists = name === 'bind-key' ? [] : words.filter(isList);
  for (const [i, list] of lists.entries()) {
    // The first list runs where the condition holds, and only there.
    const within = name === 'if-shell' && i === 0 ? readGuard(words, list) : unguarded;
    for (const inner of list) refuseForbidden(inner, within);
  }
}

/** What tmux asks in the same step, and about which pane. */
interface Guard {
  readonly pane: string | undefined;
  readonly conditions: readonly string[];
  /** All that runs under it. */
  readonly list: CommandList;
}

type Words = Command extends readonly [string, ...infer W] ? W : never;

const unguarded: Guard = { pane: undefined, conditions: [], list: [] };

/**
 * Whole names alone. What is not here: `respawn-*`, `pipe-pane`, `source-file`, `set-window-option`
 * …
 */
const allowed = new Set([
  'bind-key',
  'capture-pane',
  'copy-mode',
  'delete-buffer',
  'display-message',
  'if-shell',
  'kill-pane',
  'kill-server',
  'link-window',
  'list-buffers',
  'list-clients',
  'list-panes',
  'list-sessions',
  'new-session',
  'new-window',
  'paste-buffer',
  'set-buffer',
  'rename-window',
  'resize-window',
  'run-shell',
  'select-window',
  'send-keys',
  'set-environment',
  'set-hook',
  'set-option',
  'show-environment',
  'unbind-key',
  'unlink-window',
]);

/**
 * What may stand in one list with something that types: nothing that could change what was asked.
 */
const besideTyping = new Set(['display-message', 'paste-buffer', 'send-keys', 'set-buffer']);
const ownNotices: readonly string[] = Object.values(peopleNotices);
const ownOptions = new Set(serverConfig.map(([, , option]) => option));

interface Prohibition {
  readonly why: string;
  isBroken(name: string, words: Words, guard: Guard): boolean;
}

const prohibitions: readonly Prohibition[] = [
  {
    why: 'a global "window-size manual" crashes the server at the next window (tmux 3.3a to 3.6a)',
    isBroken: (name, words) =>
      name === 'set-option' && words.includes('window-size') && words.includes('manual'),
  },
  {
    why: 'it fixes the size for everybody who comes later, unless the same list takes that back',
    isBroken: (name, words, guard) => name === 'resize-window' && !isTakenBack(words, guard),
  },
  {
    why: 'the same command must ask whether keys reach this pane and no other (rule 45): a dead one crashes the server (tmux 3.3a), a synchronised one passes them on',
    isBroken: (name, words, guard) => isTyping(name) && !isGuarded(name, words, guard),
  },
  {
    why: 'without -F it would run a shell',
    isBroken: (name, words) => name === 'if-shell' && words[0] !== '-F',
  },
  {
    why: 'what it runs is given as words, so that it passes here too',
    isBroken: (name, words) =>
      ['if-shell', 'run-shell', 'set-hook'].includes(name) && !isList(words.at(-1)),
  },
  {
    why: 'without -C it would run a shell',
    isBroken: (name, words) => name === 'run-shell' && !isExactly(words.slice(0, -1), ['-b', '-C']),
  },
  {
    why: 'signalbox sets one hook, for all panes; other flags run it at once, or where nobody looks',
    isBroken: (name, words) =>
      name === 'set-hook' && !isExactly(words.slice(0, -1), ['-g', 'pane-died']),
  },
  {
    why: 'a mode is ended only where the same command asks that no person looks at that pane',
    isBroken: (name, words, guard) => name === 'copy-mode' && !isEndOfLeftMode(words, guard),
  },
  {
    why: 'signalbox binds one key, and that key leaves the terminal',
    isBroken: (name, words) => name === 'bind-key' && !isOwnKey(words),
  },
  {
    why: 'signalbox unbinds only such a key',
    isBroken: (name, [quiet, ...words]) =>
      name === 'unbind-key' && !(quiet === '-q' && isKeyOfRoot(words)),
  },
  {
    // A hook, an alias and `synchronize-panes` are options, too.
    why: 'it is not among the options that signalbox sets',
    isBroken: (name, words) => name === 'set-option' && !isOwnOption(words),
  },
  {
    why: 'a format with "#(" would run a shell',
    isBroken: (name, words) => formatsOf(name, words).some((format) => format.includes('#(')),
  },
  {
    why: 'only bytes (-H) and plain text (-l) reach the program unread; names of keys are looked up in tables',
    isBroken: (name, words) => name === 'send-keys' && words[0] !== '-H' && words[0] !== '-l',
  },
  {
    why: 'without -p its text goes to a person’s status line, where only words of ours may stand',
    isBroken: (name, words) =>
      name === 'display-message' && words[0] !== '-p' && !isOwnNotice(words),
  },
];

function isTyping(name: string): boolean {
  return name === 'send-keys' || name === 'paste-buffer';
}

/**
 * It types into the very pane that was asked about, and every condition of rule 45 must hold there.
 */
function isGuarded(name: string, words: Words, { pane, conditions, list }: Guard): boolean {
  const target = name === 'send-keys' ? words.slice(1, 3) : words.slice(-2);
  if (pane === undefined || !isExactly(target, ['-t', pane])) return false;
  if (words.filter((word) => word === '-t').length > 1) return false;
  if (!list.every((beside) => isBesideTyping(beside, pane))) return false;
  return typingConditions(pane).every((condition) => conditions.includes(condition));
}

function isBesideTyping([name, ...words]: Command, pane: string): boolean {
  if (besideTyping.has(name)) return true;
  // Nothing that is asked depends on it but whether a person has typed since.
  const [seconds, ...before] = words.toReversed();
  const isNote = name === 'set-option' && isExactly(before, [marks.pressed, pane, '-t', '-p']);
  return isNote && typeof seconds === 'string' && /^\d+$/.test(seconds);
}

/** One window, by its id, and nothing between both. */
function isTakenBack(words: Words, { list }: Guard): boolean {
  const [flag, window, ...size] = words;
  if (flag !== '-t' || typeof window !== 'string' || !/^@\d+$/.test(window)) return false;
  const isSize = size.length === 4 && size[0] === '-x' && size[2] === '-y';
  const [, next] = list;
  const isAlone = list.length === 2 && list[0]?.[0] === 'resize-window';
  return (
    isSize &&
    isAlone &&
    isExactly(next ?? [], ['set-option', '-w', '-u', '-t', window, 'window-size'])
  );
}

/** `if-shell -F -t <pane> <condition> <list> …` */
function readGuard([, flag, pane, condition]: Words, list: CommandList): Guard {
  const isForm = flag === '-t' && typeof pane === 'string' && /^%\d+$/.test(pane);
  if (!isForm || typeof condition !== 'string') return unguarded;
  return { pane, conditions: splitAll(condition), list };
}

/** `display-message -c <client> -d <milliseconds> <words>`, and nothing else. */
function isOwnNotice([to, client, during, ms, words, ...more]: Words): boolean {
  const isForm = to === '-c' && during === '-d' && more.length === 0;
  const isTime = typeof ms === 'string' && /^[1-9]\d*$/.test(ms);
  const isOurs = typeof words === 'string' && ownNotices.includes(words);
  return isForm && isTime && isOurs && typeof client === 'string' && isClientName(client);
}

function isOwnKey(words: Words): boolean {
  return words.at(-1) === leave && isKeyOfRoot(words.slice(0, -1));
}

function isKeyOfRoot([flag, table, key, ...more]: readonly unknown[]): boolean {
  const isForm = flag === '-T' && table === 'root' && more.length === 0;
  return isForm && typeof key === 'string' && isBoundKey(key);
}

function isOwnOption(words: Words): boolean {
  const option = words.find((word, i) => i > 0 && !isFlag(word) && words[i - 1] !== '-t');
  return typeof option === 'string' && (option.startsWith('@sbx-') || ownOptions.has(option));
}

function isFlag(word: Words[number] | undefined): boolean {
  return typeof word === 'string' && /^-[A-Za-z]+$/.test(word);
}

/** The arguments that tmux expands; all others are taken as they are. */
function formatsOf(name: string, words: Words): readonly string[] {
  const texts = words.map((word) => (isList(word) ? '' : word));
  if (name === 'display-message') return texts;
  if (name === 'if-shell') return texts.slice(0, -1);
  if (name === 'rename-window') return texts;
  if (name === 'set-option') return texts.some((word) => isExpanding(word)) ? texts : [];
  const end = texts.indexOf('--');
  const options = end === -1 ? texts : texts.slice(0, end);
  return options.filter((_, i) => ['-F', '-c', '-n', '-s', '-f'].includes(options[i - 1] ?? ''));
}

function isExpanding(word: string): boolean {
  return isFlag(word) && word.includes('F');
}

function isExactly(words: readonly unknown[], wanted: readonly string[]): boolean {
  return words.length === wanted.length && words.every((word, i) => word === wanted[i]);
}

function isList(word: Words[number] | undefined): word is CommandList {
  return word !== undefined && typeof word !== 'string';
}
