import { caughtErrorsPath, findFolders } from '../config/folders.ts';
import { noteBug } from '../shared/bug-notes.ts';
import { systemClock } from '../shared/clock.ts';
import { keepBugs } from '../shared/report-bug.ts';
import { openDoor } from './door.ts';
import { LineReader } from './line-reader.ts';
import { StdioProxy } from './proxy.ts';

/**
 * The MCP server over stdio: a thin proxy to the daemon, one for each agent that runs, and so as small and quick as can be. It
 * knows nothing but whom it speaks for, and keeps nothing: whatever it was asked and has not answered ends with it.
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
  // The client went away, in whichever direction it is noticed first.
  stdout.on('error', end);
  stdin.on('error', end);
  stdin.on('end', end);
  stdin.on('data', (chunk: Buffer) => lines.take(chunk));
}

/** Resolves when the system has taken it. */
function print(text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.write(text, (error) => (error ? reject(error) : resolve()));
  });
}
