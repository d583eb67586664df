import { accessSync, constants, statSync } from 'node:fs';
import { Fault } from '../../shared/fault.ts';

/** Set by tmux itself for each pane; a caller's own would name a terminal that it is not in. */
const ownedByTmux = new Set([
  'TMUX',
  'TMUX_PANE',
  'TERM',
  'TERM_PROGRAM',
  'TERM_PROGRAM_VERSION',
  'PWD',
]);

/**
 * What `env` is given so that the program starts with exactly the wanted environment: names of the server's own that it
 * shall not have are taken out. SHELL stands here because tmux overwrites it; everything else goes as `-e`, since arguments
 * can be read by every user of the machine. A single word would be given to a shell by tmux, so there is always `env`.
 */
export function programWords(
  argv: readonly string[],
  env: Readonly<Record<string, string>>,
  serverNames: readonly string[],
): readonly string[] {
  const unwanted = [...serverNames, 'SHELL'].filter(
    (name) => !(name in env) && !ownedByTmux.has(name),
  );
  const shell = env['SHELL'] === undefined ? [] : [`SHELL=${env['SHELL']}`];
  const prefix = ['env', ...[...new Set(unwanted)].flatMap((name) => ['-u', name]), ...shell];
  // `env` would take a program whose path holds `=` for one more variable.
  if (argv[0]?.includes('=')) return [...prefix, 'sh', '-c', 'exec "$0" "$@"', ...argv];
  return [...prefix, ...argv];
}

/** `-e` words. In a session's first window they land in the session's environment: see start-program.ts. */
export function environmentWords(env: Readonly<Record<string, string>>): readonly string[] {
  return passedNames(env).flatMap((name) => ['-e', `${name}=${env[name]}`]);
}

export function passedNames(env: Readonly<Record<string, string>>): readonly string[] {
  return Object.keys(env).filter((name) => !ownedByTmux.has(name) && name !== 'SHELL');
}

/** Everything that tmux would take silently and wrongly. */
export function checkProgram(
  argv: readonly string[],
  env: Readonly<Record<string, string>>,
  cwd: string,
): void {
  if (!argv[0]) throw invalid('There is no program to start', 'Name one.');
  for (const [name, value] of Object.entries(env)) {
    if (name === '' || /[=\0]/.test(name) || value.includes('\0')) {
      throw invalid(
        `The environment variable ${JSON.stringify(name)} cannot be passed`,
        'Leave it out.',
      );
    }
  }
  if (argv.some((word) => word.includes('\0')))
    throw invalid('An argument holds a NUL character', 'Leave it out.');
  try {
    // tmux would start the program in the home folder instead.
    if (!statSync(cwd).isDirectory()) throw new Error('it is not a folder');
    accessSync(cwd, constants.X_OK);
  } catch (cause) {
    const why = (cause as NodeJS.ErrnoException).code ?? (cause as Error).message;
    throw invalid(
      `The working directory ${cwd} cannot be used (${why})`,
      'Name a folder that exists.',
    );
  }
}

function invalid(what: string, next: string): Fault {
  return new Fault('invalid-input', `${what}.`, next);
}
