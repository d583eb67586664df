import { writeSync } from 'node:fs';
import { takenExitCode } from '../protocol/daemon.ts';
import { Fault } from '../shared/fault.ts';
import { runDaemon } from './run.ts';

/**
 * The daemon's program. What it says on stderr is for whoever starts it: one line of JSON when it
 * could not start. Exit codes: 0 ended as asked, 1 failed, `takenExitCode` another daemon has the
 * state folder.
 */
async function main(): Promise<void> {
  const isForeground = process.argv.includes('--foreground');
  // A daemon outlives the terminal it was started from.
  if (!isForeground) process.on('SIGHUP', () => undefined);
  try {
    const echo = isForeground ? (line: string) => void tell(1, line) : undefined;
    const run = await runDaemon(process.env, echo);
    if (run.outcome === 'taken') {
      tell(2, `${JSON.stringify({ pid: process.pid, taken: run.holder ?? null })}\n`);
      process.exit(takenExitCode);
    }
    process.exit((await run.ended) === 'asked' ? 0 : 1);
  } catch (error) {
    const { code, message, next } = error instanceof Fault ? error : bug(error);
    tell(2, `${JSON.stringify({ pid: process.pid, error: { code, message, next } })}\n`);
    if (!(error instanceof Fault) && error instanceof Error) tell(2, `${error.stack}\n`);
    process.exit(1);
  }
}

function bug(error: unknown): Fault {
  const said = error instanceof Error ? error.message : String(error);
  return new Fault('bug', said, 'Please report it.', { cause: error });
}

function tell(fd: number, line: string): void {
  try {
    writeSync(fd, line);
  } catch {
    // Nobody listens any more.
  }
}

void main();
