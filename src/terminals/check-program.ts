import { accessSync, constants, statSync } from 'node:fs';
import { Fault } from '../shared/fault.ts';

/** Everything that a backend would take silently and wrongly. */
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
    // tmux would start the program in the home folder instead, herdr in its own.
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
