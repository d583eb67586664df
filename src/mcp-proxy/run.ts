import { caughtErrorsPath, findFolders } from '../config/folders.ts';
import { noteBug } from '../shared/bug-notes.ts';
import { systemClock } from '../shared/clock.ts';
import { keepBugs } from '../shared/report-bug.ts';
import { openDoor } from './door.ts';
import { LineReader } from './line-reader.ts';
import { StdioProxy } from './proxy.ts';

/**
 * What was asked before the end of the input has so long to be answered: as long as a daemon that
 * starts is waited for.
 */
const answerMs = 5000;

/**
 * The MCP server over stdio: a thin proxy to the daemon, one for each agent that runs, and so as
 * small and quick as can be. It knows nothing but whom it speaks for, and keeps nothing: whatever
 * it was asked and has not answered ends with it, and is told so.
 */
export function runProxy(env: NodeJS.ProcessEnv): void {
  const { stdin, stdout } = process;
  const notes = caughtErrorsPath(findFolders(env));
  keepBugs((bug) => noteBug(notes, bug, systemClock.now()));
  const proxy = new StdioProxy(openDoor(env), print);
  const lines = new LineReader((line) => proxy.take(line));
  const end = (): void => {
    proxy.end();
    process.exit(0);
  };
  const parent = process.ppid;
  // A script writes what it asks and closes the pipe; a CLI that was killed leaves it closed, and
  // nobody to answer.
  const finish = async (): Promise<void> => {
    lines.end();
    const over = new AbortController();
    setTimeout(() => over.abort(), answerMs);
    setInterval(() => process.ppid !== parent && over.abort(), 100);
    await proxy.finish(over.signal);
    process.exit(0);
  };
  // The client went away, in whichever direction it is noticed first.
  stdout.on('error', end);
  stdin.on('error', end);
  stdin.on('end', () => void finish());
  stdin.on('data', (chunk: Buffer) => lines.take(chunk));
}

/** Resolves when the system has taken it. */
function print(text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.write(text, (error) => (error ? reject(error) : resolve()));
  });
}
