import { execFileSync } from 'node:child_process';
import { constants, openSync } from 'node:fs';
import { Socket } from 'node:net';
import { join } from 'node:path';

/**
 * The least that can be pasted into: it shows a prompt, a star for whatever is typed, and a new
 * prompt after Enter, and writes what it reads into a pipe. Fifty programs of Node on the daemon's
 * own cores would measure themselves.
 */
const script = `
$| = 1; system('stty raw -echo'); open(my $out, '>', $ENV{BENCH_PIPE}) or die;
print "> ";
while (sysread(STDIN, my $bytes, 65536)) { syswrite($out, $bytes); print($bytes eq "\\r" ? "\\r\\n> " : "*"); }`;

export const plainProvider = 'plain';

/** What config.yaml says about it. */
export const plainDescription = {
  command: ['perl', '-e', script],
  rows: 5,
  idle: ['^>'],
  empty: { row: '^>$', column: 2 },
  paste: 'message',
};

export interface PlainPipe {
  readonly path: string;
  onBytes(listener: (bytes: Buffer) => void): void;
}

/** Opened for both ways, so that neither end waits for the other. */
export function openPipe(folder: string, name: string): PlainPipe {
  const path = join(folder, `${name}.pipe`);
  execFileSync('mkfifo', ['-m', '600', path]);
  const fd = openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
  const socket = new Socket({ fd, readable: true, writable: false });
  socket.unref();
  return { path, onBytes: (listener) => void socket.on('data', listener) };
}
