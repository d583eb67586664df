import { execFileSync } from 'node:child_process';
import { constants, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { openPipe, type PlainPipe } from '../delivery/plain-program.ts';

/**
 * The least that takes a task and answers it: it shows a prompt, a star for whatever is typed,
 * `working` from Enter until a word comes through its gate, and then that word as its answer. What
 * it reads goes into a pipe. Twenty programs of Node that end at once on the daemon's own cores
 * would measure themselves.
 */
const script = `
$| = 1; system('stty raw -echo');
open(my $out, '>', $ENV{BENCH_PIPE}) or die; open(my $gate, '<', $ENV{BENCH_GATE}) or die;
print ": ";
while (sysread(STDIN, my $bytes, 65536)) {
  syswrite($out, $bytes);
  if ($bytes ne "\\r") { print '*'; next; }
  print "\\r\\e[K> asked\\r\\nworking";
  sysread($gate, my $word, 200) or die;
  print "\\r\\e[K= $word\\r\\n--\\r\\n: ";
}`;

export const workerProvider = 'worker';

/** What config.yaml says about it. */
export const workerDescription = {
  command: ['perl', '-e', script],
  rows: 3,
  busy: ['^working$'],
  idle: ['^:'],
  empty: { row: '^:$', column: 2 },
  answer: { prompt: '^> ', block: '^= ', end: '^--$' },
  paste: 'message',
};

export interface Gate {
  readonly path: string;
  /** Ends the turn that runs, or the next one. */
  release(word: string): void;
}

export interface WorkerPipes {
  readonly env: Readonly<Record<string, string>>;
  readonly input: PlainPipe;
  readonly gate: Gate;
}

export function openWorkerPipes(folder: string, name: string): WorkerPipes {
  const input = openPipe(folder, name);
  const gate = openGate(join(folder, `${name}.gate`));
  return { env: { BENCH_PIPE: input.path, BENCH_GATE: gate.path }, input, gate };
}

/** Opened for both ways, so that neither end waits for the other. */
function openGate(path: string): Gate {
  execFileSync('mkfifo', ['-m', '600', path]);
  const fd = openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
  return { path, release: (word) => void writeSync(fd, word) };
}
