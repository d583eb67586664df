import type { Command } from './command.ts';

/**
 * The gate that every command passes. Some commands crash the tmux server, and with it every agent, on versions that people
 * have; some run a shell on text that we did not write. A name that is not listed is refused too: tmux takes any unambiguous
 * abbreviation, and a gate that knows only the full names of what is bad would let `respawnp` through.
 */
export function refuseForbidden(command: Command, guard = ''): void {
  const [name, ...words] = command;
  const flat = words.map(flatten);
  const broken = allowed.has(name)
    ? prohibitions.find(({ isBroken }) => isBroken(name, flat, guard))?.why
    : 'it is not among the commands that signalbox uses';
  // Not a Fault: no user can cause it, and nothing was sent.
  if (broken) throw new Error(`refused to send tmux "${name}": ${broken}`);
  const lists = words.filter((word) => typeof word !== 'string');
  // The first list runs where the condition holds, and only there.
  const [condition = ''] = name === 'if-shell' ? words.filter(isCondition) : [];
  for (const [i, list] of lists.entries()) {
    for (const inner of list) refuseForbidden(inner, i === 0 ? condition : '');
  }
}

/** Whole names alone. What is not here: `respawn-*`, `pipe-pane`, `source-file`, `set-window-option` … */
const allowed = new Set([
  'attach-session',
  'capture-pane',
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
  'run-shell',
  'select-window',
  'send-keys',
  'set-environment',
  'set-hook',
  'set-option',
  'show-environment',
  'switch-client',
  'unlink-window',
]);

interface Prohibition {
  readonly why: string;
  /** `guard`: the condition under which it runs. */
  isBroken(name: string, words: readonly string[], guard: string): boolean;
}

const prohibitions: readonly Prohibition[] = [
  {
    why: 'a global "window-size manual" crashes the server at the next window (tmux 3.3a to 3.6a)',
    isBroken: (name, words) =>
      name === 'set-option' && hasFlag(words, 'g') && words.includes('window-size')
        ? words.includes('manual')
        : false,
  },
  {
    why: 'a paste into a pane whose program has ended crashes the server (tmux 3.3a)',
    isBroken: (name, _, guard) => name === 'paste-buffer' && !guard.includes(isAlive),
  },
  {
    why: 'without -F it would run a shell',
    isBroken: (name, words) => name === 'if-shell' && words[0] !== '-F',
  },
  {
    why: 'without -C it would run a shell',
    isBroken: (name, words) => name === 'run-shell' && !hasFlag(words, 'C'),
  },
  {
    why: 'a format with "#(" would run a shell',
    isBroken: (name, words) => formatsOf(name, words).some((format) => format.includes('#(')),
  },
  {
    why: 'only bytes (-H) and plain text (-l) reach the program unread; names of keys are looked up in tables',
    isBroken: (name, words) => name === 'send-keys' && !['-H', '-l'].includes(words[0] ?? ''),
  },
  {
    why: 'without -p its text goes to a person’s status line',
    isBroken: (name, words) => name === 'display-message' && words[0] !== '-p',
  },
];

/** As `write.ts` asks. */
const isAlive = '#{==:#{pane_dead},0}';

function isCondition(word: Command[number]): word is string {
  return typeof word === 'string' && word.startsWith('#{');
}

/** The arguments that tmux expands; all others are taken as they are. */
function formatsOf(name: string, words: readonly string[]): readonly string[] {
  if (name === 'display-message') return words;
  if (name === 'if-shell') return words.slice(0, -1);
  if (name === 'rename-window') return words;
  if (name === 'set-option') return hasFlag(words, 'F') ? words : [];
  const end = words.indexOf('--');
  const options = end === -1 ? words : words.slice(0, end);
  return options.filter((_, i) => ['-F', '-c', '-n', '-s', '-f'].includes(options[i - 1] ?? ''));
}

function hasFlag(words: readonly string[], letter: string): boolean {
  return words.some((word) => /^-[A-Za-z]+$/.test(word) && word.includes(letter));
}

function flatten(word: Command[number]): string {
  return typeof word === 'string' ? word : '';
}
