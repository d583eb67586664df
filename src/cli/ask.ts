import { closeSync, constants, openSync, readSync } from 'node:fs';
import { writeTerminal } from './output.ts';

/**
 * A yes or no of the person at the terminal itself: what is redirected or piped is not read by the
 * person, and does not answer. No is the default. `before` is shown above the question.
 */
export async function askYesNo(before: string, question: string): Promise<boolean> {
  const terminal = openSync('/dev/tty', 'r+');
  try {
    writeTerminal(terminal, before);
    return /^\s*y(es)?\s*$/i.test(await ask(terminal, `${question} [y/N] `));
  } finally {
    closeSync(terminal);
  }
}

/** One line of a person's. Keys that were typed before the question stood there do not count. */
export async function ask(terminal: number, question: string): Promise<string> {
  await dropTypedAhead();
  writeTerminal(terminal, question);
  return readLine(terminal);
}

/**
 * What was typed before the question stood there answers something else: a README's two lines, say,
 * the command and a `y`, pasted into a shell. Half a line too, which a terminal gives out in raw
 * mode alone.
 */
async function dropTypedAhead(): Promise<void> {
  // Loaded only here: most commands ask nothing.
  const { ReadStream } = await import('node:tty');
  const typed = openSync('/dev/tty', constants.O_RDONLY | constants.O_NONBLOCK);
  const mode = new ReadStream(openSync('/dev/tty', 'r'));
  try {
    mode.setRawMode(true);
    const bytes = Buffer.alloc(4096);
    while (readSync(typed, bytes, 0, bytes.length, null) > 0);
  } catch (error) {
    // Nothing waits any more.
    if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
  } finally {
    mode.setRawMode(false);
    mode.destroy();
    closeSync(typed);
  }
}

function readLine(terminal: number): string {
  const bytes = Buffer.alloc(1024);
  const length = readSync(terminal, bytes, 0, bytes.length, null);
  return bytes.toString('utf8', 0, length);
}
