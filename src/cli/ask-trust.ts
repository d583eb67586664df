import { closeSync, openSync } from 'node:fs';
import type { Reviewed, WantedReview } from '../client/direct/trust.ts';
import { reachFailPoint } from '../shared/fail-point.ts';
import { Fault } from '../shared/fault.ts';
import { ask } from './ask.ts';
import { describeReview } from './describe-trust.ts';
import { writeTerminal } from './output.ts';

/**
 * A file that is swapped while a person reads is asked for again; somebody who does it all the time
 * is not played with.
 */
const mostRounds = 3;

/**
 * Does what needs trusted files. Where the daemon refuses because they are not, a person at a
 * terminal is shown what they would change, and asked; for everybody else the refusal stands
 * (rules 46 and 54).
 */
export async function withTrust<T>(
  wanted: () => WantedReview,
  isScripted: boolean,
  act: () => Promise<T>,
): Promise<T> {
  for (let round = 1; ; round++) {
    try {
      return await act();
    } catch (error) {
      const isAsked = error instanceof Fault && error.code === 'not-trusted' && !isScripted;
      if (!isAsked || round > mostRounds || !(await askFor(wanted()))) throw error;
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
 * Shows one file and asks, on the terminal itself: what is redirected or piped is not read by the
 * person, and does not answer. Nor do keys that were typed before the question stood there. No is
 * the default; a file that asks nobody takes more than one letter.
 */
export async function askToTrust({ view }: Reviewed): Promise<boolean> {
  const terminal = openSync('/dev/tty', 'r+');
  const [choice, yes] = view.changes?.asksNobody
    ? ['Type trust, or Enter for no [trust/N]', /^\s*trust\s*$/i]
    : ['[y/N]', /^\s*y(es)?\s*$/i];
  try {
    writeTerminal(terminal, describeReview(view));
    await reachFailPoint('trust.asking');
    return yes.test(await ask(terminal, `Trust this file, exactly as it is now? ${choice} `));
  } finally {
    closeSync(terminal);
  }
}
