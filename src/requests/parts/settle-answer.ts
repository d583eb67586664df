// Tests: test/contracts/unsettled-answers.test.ts, test/integration/faults-disk-answers.test.ts.

import type { AnswerEnd } from '../../agents/answer-store.ts';
import { pause } from '../../shared/clock.ts';
import { Fault } from '../../shared/fault.ts';
import { reportBug } from '../../shared/report-bug.ts';
import { tellDone } from '../../shared/unwritten.ts';
import type { LiveContext } from '../context.ts';

/** As soon as there is room again, and never so often that it is in the way. */
const firstMs = 1000;
const mostMs = 30_000;

/**
 * Writes down what came of a decision that has been carried. Where the ledger does not take it now,
 * whoever decided is told so, and it is written later; a daemon that ends before leaves the row to
 * the next one, for which the outcome is unknown.
 */
export async function settleAnswer(
  context: LiveContext,
  { id, question }: { readonly id: string; readonly question: string },
  end: AnswerEnd,
): Promise<void> {
  try {
    await settle(context, id, end);
  } catch (error) {
    void settleLater(context, id, end);
    // Nothing was decided, and the caller says so itself.
    if (end.outcome === 'gone' || end.outcome === 'refused') return;
    throw tellDone(
      `The answer to ${question} ${end.outcome === 'taken' ? 'was taken' : 'may have been taken'}, and what came of it is not in the history yet.`,
      error,
      'Do not answer again: it is written as soon as that is possible.',
    );
  }
}

async function settleLater(context: LiveContext, id: string, end: AnswerEnd): Promise<void> {
  const { clock } = context.surroundings;
  for (
    let ms = firstMs;
    await pause(clock, ms, context.live.ending);
    ms = Math.min(ms * 2, mostMs)
  ) {
    try {
      return await settle(context, id, end);
    } catch (error) {
      if (!(error instanceof Fault)) return reportBug('writing down what came of an answer', error);
    }
  }
}

async function settle({ ledger }: LiveContext, id: string, end: AnswerEnd): Promise<void> {
  await ledger.write((tx) => tx.answers.settle(id, end));
}
