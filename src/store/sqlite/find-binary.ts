import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Fault } from '../../shared/fault.ts';

/**
 * The compiled SQLite, named by its path: better-sqlite3's own search for it takes longer than
 * loading it, and does not work from inside a bundle.
 *
 * The package is optional to npm, so that signalbox can be installed where nothing can be compiled
 * (decision 22). npm says nothing of an optional package that it leaves out, and so the first
 * command does.
 */
export function findBinary(from: string = import.meta.url): string {
  const root = findPackage(from);
  const binary = root && join(root, 'build', 'Release', 'better_sqlite3.node');
  if (binary === undefined) throw missing('npm could neither download nor compile it');
  if (!existsSync(binary)) throw missing('npm has not run its install script');
  return binary;
}

function findPackage(from: string): string | undefined {
  try {
    return dirname(createRequire(from).resolve('better-sqlite3/package.json'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'MODULE_NOT_FOUND') return undefined;
    throw error;
  }
}

/** Three lines on a terminal: what is missing, what it needs, what to type then. */
function missing(why: string): Fault {
  const { platform, arch, version } = process;
  return new Fault(
    'sqlite-missing',
    `signalbox has no database here: the package better-sqlite3 is missing, since ${why} (Node.js ${version}, ${platform} ${arch}).`,
    [
      `To compile it, npm needs Python 3, make and a C++ compiler: ${howToGet()}.`,
      'Then install signalbox again, without --ignore-scripts and --omit=optional. Or run it with Node.js 24.21 or newer, which brings a database along.',
    ].join('\n'),
  );
}

function howToGet(): string {
  if (process.platform === 'darwin') return '`xcode-select --install`';
  return '`apt-get install python3 make g++` on Debian and Ubuntu, `dnf install python3 make gcc-c++` on Fedora';
}
