/** Somebody asked for what there is not. */
export class WrongWish extends Error {}

/** A suite will not run here, and says what to do about it. */
export class NotStarted extends Error {}

/** What a suite gets. */
export interface Surroundings {
  /** Its own, empty; removed when the suite is over. Floors and ledgers lie here, on one disk. */
  readonly folder: string;
  /** A smaller run, for trying it out. */
  readonly quick: boolean;
  /** Somebody wants it to stop. */
  readonly signal: AbortSignal;
  /** Parts of the suite by name; undefined: all. For suites that can be run in part. */
  readonly only?: readonly string[];
  /** The commit of the build to compare with, for a suite that makes one. */
  readonly against?: string;
  /** What else stood behind the suite's name, such as CLIs. */
  readonly names: readonly string[];
  /** Progress, on stderr. */
  say(text: string): void;
}

/** One group of rows that were measured together, interleaved. */
export interface Part {
  readonly title: string;
  /** What was done, in which order, and what the number is of. */
  readonly how: string;
  readonly rows: readonly Row[];
  /** What could not be measured, and why. */
  readonly failures?: readonly string[];
  /** Everything the medians were made from. */
  readonly raw: Readonly<Record<string, unknown>>;
}

export interface Row {
  readonly what: string;
  readonly measured: Quantity;
  /** The floor, or the other way of doing it, measured in the same run. */
  readonly against?: { readonly what: string; readonly quantity: Quantity };
  /**
   * For the ratio to `against`, or for the measured value itself where there is nothing to compare
   * it with.
   */
  readonly bar?: Bar;
}

export interface Quantity {
  readonly value: number;
  readonly unit: '/s' | 'ms' | 's' | 'MB' | '';
}

export type Bar =
  | { readonly atLeast: number }
  | { readonly atMost: number }
  /** Of the measured value, whatever stands beside it. */
  | { readonly itselfAtMost: number }
  /** Above `against`, in its unit: for a cost that does not grow with the floor. */
  | { readonly atMostMore: number };

export interface Verdict {
  readonly ratio?: number;
  readonly met?: boolean;
}

export function judge({ measured, against, bar }: Row): Verdict {
  // Nothing is no part of nothing, too: 0 / 0 would miss every bar.
  const ratio = against && (measured.value === 0 ? 0 : measured.value / against.quantity.value);
  const ratioPart = ratio === undefined ? {} : { ratio };
  if (!bar) return ratioPart;
  return { ...ratioPart, met: isMet(bar, ratio ?? measured.value, measured, against?.quantity) };
}

function isMet(bar: Bar, judged: number, measured: Quantity, floor: Quantity | undefined): boolean {
  if ('itselfAtMost' in bar) return measured.value <= bar.itselfAtMost;
  if ('atMostMore' in bar) return measured.value <= (floor?.value ?? 0) + bar.atMostMore;
  return 'atLeast' in bar ? judged >= bar.atLeast : judged <= bar.atMost;
}
