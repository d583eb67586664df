import type { Life } from './life.ts';

/**
 * One thing that must be so in the life of every CLI. They run in the order of their list, one life
 * after the other.
 */
export interface Check {
  /** A column of the table. */
  readonly name: string;
  /** What is promised, in one line. */
  readonly promise: string;
  /** Part of `--short`. */
  readonly isShort?: true;
  /** Only in `--all`. */
  readonly isLong?: true;
  /** It begins with an agent of its own, whatever the one before left. */
  readonly hasOwnAgent?: true;
  /** It opens a life of its own, and touches the one that it is given in no way. */
  readonly hasOwnLife?: true;
  /** Throws what is wrong; gives what was measured. */
  readonly run: (life: Life) => Promise<Measured | undefined>;
}

/**
 * Milliseconds by name: `idle` from launch to the word, `word` from the end of a turn to the word.
 */
export type Measured = Readonly<Record<string, number>>;

export type Outcome =
  | { readonly kind: 'passed'; readonly measured: Measured }
  | { readonly kind: 'failed'; readonly reason: string; readonly evidence: string }
  | { readonly kind: 'spared'; readonly reason: string; readonly code?: CannotCode };

/** `asks-person`: it asked a person a question in the middle of the check. */
export type CannotCode = 'asks-person';

/**
 * Thrown by a check: this CLI cannot, and that is what was seen. It is no failure, and does not
 * count as passed.
 */
export class CannotBe extends Error {
  readonly code: CannotCode | undefined;

  constructor(message: string, code?: CannotCode) {
    super(message);
    this.code = code;
  }
}

export function must(isSo: boolean, otherwise: string): void {
  if (!isSo) throw new Error(otherwise);
}
