import { underUmask } from '../../shared/umask.ts';
import { passesShell } from '../shell-names.ts';

/** Set by tmux itself for each pane; a caller's own would name a terminal that it is not in. */
const ownedByTmux = new Set([
  'TMUX',
  'TMUX_PANE',
  'TERM',
  'TERM_PROGRAM',
  'TERM_PROGRAM_VERSION',
  'PWD',
]);

/** tmux sets these in each pane, over what `-e` says: SHELL always, COLORTERM from 3.6 on. */
const overwritten: readonly string[] = ['SHELL', 'COLORTERM'];

/** Shells set these for what they start, and some systems' `sh` is one that does. */
const addedByShell: readonly string[] = ['_', 'SHLVL', 'OLDPWD'];

/**
 * What has to stand among the words: tmux or the shell before the program would change or drop it.
 */
function isWord(name: string): boolean {
  return overwritten.includes(name) || !passesShell(name);
}

/**
 * What `env` is given so that the program starts with exactly the wanted environment: names of the
 * server's own that it shall not have are taken out. What tmux or a shell overwrites stands here;
 * everything else goes as `-e`, since arguments can be read by every user of the machine. tmux has
 * one umask for all panes, hence the shell. A single word would be given to a shell by tmux, so
 * there is always `env`; by its full path, because tmux would look for it on the PATH that the
 * program is to have (rule 46).
 */
export function programWords(
  argv: readonly string[],
  env: Readonly<Record<string, string>>,
  serverNames: readonly string[],
  umask: number,
): readonly string[] {
  const unwanted = [...serverNames, ...overwritten, ...addedByShell].filter(
    (name) => !(name in env) && !ownedByTmux.has(name),
  );
  const kept = Object.entries(env)
    .filter(([name]) => isWord(name) && !ownedByTmux.has(name))
    .map(([name, value]) => `${name}=${value}`);
  const prefix = [
    '/usr/bin/env',
    ...[...new Set(unwanted)].flatMap((name) => ['-u', name]),
    ...kept,
  ];
  // `env` would take a program whose path holds `=` for one more variable.
  const program = argv[0]?.includes('=') ? ['/bin/sh', '-c', 'exec "$0" "$@"', ...argv] : argv;
  return underUmask(umask, [...prefix, ...program]);
}

/**
 * `-e` words. In a session's first window they land in the session's environment: see
 * start-program.ts.
 */
export function environmentWords(env: Readonly<Record<string, string>>): readonly string[] {
  return passedNames(env).flatMap((name) => ['-e', `${name}=${env[name]}`]);
}

export function passedNames(env: Readonly<Record<string, string>>): readonly string[] {
  return Object.keys(env).filter((name) => !ownedByTmux.has(name) && !isWord(name));
}

/** What the program itself has of it. */
export function pickEnvironment(
  env: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  return Object.fromEntries(passedNames(env).map((name) => [name, env[name] ?? '']));
}
