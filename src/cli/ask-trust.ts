import { closeSync, constants, openSync, readSync } from 'node:fs';
import type { Reviewed, WantedReview } from '../client/direct/trust.ts';
import { Fault } from '../shared/fault.ts';
import { describeReview } from './describe-trust.ts';
import { writeTerminal } from './output.ts';

/** A file that is swapped while a person reads is asked for again; somebody who does it all the time is not played with. */
const mostRounds = 3;

/**
 * Does what needs trusted files. Where the daemon refuses because they are not, a person at a terminal is shown what they would
 * change, and asked; for everybody else the refusal stands (rules 46 and 54).
 */
export async function withTrust<T>(
  wanted: WantedReview,
  isScripted: boolean,
  act: () => Promise<T>,
): Promise<T> {
  for (let round = 1; ; round++) {
    try {
      return await act();
    } catch (error) {
      const isAsked = error instanceof Fault && error.code === 'not-trusted' && !isScripted;
      if (!isAsked || round > mostRounds || !(await askFor(wanted))) throw error;
    }
  }
}

/** Whether all of it is trusted now. */
async function askFor(wanted: WantedReview): Promise<boolean> {
  const { openTrust } = await import('../client/direct/trust.ts');
  const trust = await openTrust(process.env);
  if (!(await trust.mayConsent())) return false;
  const needed = await trust.reviewLaunch(wanted);
  for (const reviewed of needed) {
    if (!(await askToTrust(reviewed))) return false;
    trust.trust(reviewed);
  }
  return needed.length > 0;
}

/**
 * Shows one file and asks, on the terminal itself: what is redirected or piped is not read by the person, and does not answer.
 * No is the default.
 */
export async function askToTrust({ view }: Reviewed): Promise<boolean> {
  await discardTyped();
  const terminal = openSync('/dev/tty', 'r+');
  try {
    writeTerminal(terminal, `${describeReview(view)}Trust this file, exactly as it is now? [y/N] `);
    return /^\s*y(es)?\s*$/i.test(readLine(terminal));
  } finally {
    closeSync(terminal);
  }
}

/**
 * What was typed before the question stood there answers something else: a README's two lines, say, the command and a `y`, that were
 * pasted into a shell. Half a line as well, which a terminal hands out only when it passes on every key.
 */
async function discardTyped(): Promise<void> {
  // Loaded only here: it takes longer than most commands.
  const { ReadStream } = await import('node:tty');
  const { O_RDONLY, O_NONBLOCK, O_NOCTTY } = constants;
  const file = openSync('/dev/tty', O_RDONLY | O_NONBLOCK | O_NOCTTY);
  const terminal = new ReadStream(file);
  try {
    terminal.setRawMode(true);
    const bytes = Buffer.alloc(4096);
    while (readSync(file, bytes, 0, bytes.length, null) > 0);
  } catch (error) {
    // Nothing more was typed.
    if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
  } finally {
    terminal.setRawMode(false);
    terminal.destroy();
  }
}

function readLine(terminal: number): string {
  const bytes = Buffer.alloc(1024);
  const length = readSync(terminal, bytes, 0, bytes.length, null);
  return bytes.toString('utf8', 0, length);
}
