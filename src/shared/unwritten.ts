// Tests: test/contracts/unwritten.test.ts, test/integration/faults-disk-lives.test.ts.

import { Fault, type FaultCode } from './fault.ts';

/**
 * The ledger took nothing of a write. Its message says that nothing was changed, which is true of
 * the ledger alone: whoever acted on the world before says with `tellDone` what has happened.
 */
export class UnwrittenFault extends Fault {
  /** What the ledger could not do, as a sentence. */
  readonly why: string;
  /** The first half of what to do next: `Free some space`. */
  readonly remedy: string;

  constructor(
    code: FaultCode,
    { why, unchanged, remedy, next, cause }: UnwrittenFacts & { readonly cause?: unknown },
  ) {
    super(code, `${why} ${unchanged}`, next, { cause });
    this.why = why;
    this.remedy = remedy;
  }
}

interface UnwrittenFacts {
  readonly why: string;
  /** What is true where nothing was done before the write. */
  readonly unchanged: string;
  readonly remedy: string;
  readonly next: string;
}

/**
 * A write that notes what was done before it and cannot be taken back. When the ledger refuses it,
 * the fault begins with `done`, and does not say that nothing was changed.
 */
export async function noteDone<T>(done: string, write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    throw tellDone(done, error);
  }
}

/** `next` where running the command again is not what helps. */
export function tellDone(done: string, error: unknown, next?: string): unknown {
  if (!(error instanceof UnwrittenFault)) return error;
  const { code, why, remedy } = error;
  const then = `${remedy}${next === undefined ? ', then run the command again.' : `. ${next}`}`;
  return new Fault(code, `${done} ${why}`, then, { cause: error });
}
