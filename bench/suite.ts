/** What a suite gets. */
export interface Surroundings {
  /** Its own, empty; removed when the suite is over. Floors and ledgers lie here, on one disk. */
  readonly folder: string;
  /** A smaller run, for trying it out. */
  readonly quick: boolean;
  /** Somebody wants it to stop. */
  readonly signal: AbortSignal;
  /** Progress, on stderr. */
  say(text: string): void;
}

/** One group of rows that were measured together, interleaved. */
export interface Part {
  readonly title: string;
  /** What was done, in which order, and what the number is of. */
  readonly how: string;
  readonly rows: readonly Row[];
  /** Everything the medians were made from. */
  readonly raw: Readonly<Record<string, unknown>>;
}

export interface Row {
  readonly what: string;
  readonly measured: Quantity;
  /** The floor, or the other way of doing it, measured in the same run. */
  readonly against?: { readonly what: string; readonly quantity: Quantity };
  /** For the ratio to `against`, or for the measured value itself where there is nothing to compare it with. */
  readonly bar?: Bar;
}

export interface Quantity {
  readonly value: number;
  readonly unit: '/s' | 'ms' | 's' | 'MB' | '';
}

export type Bar = { readonly atLeast: number } | { readonly atMost: number };

export interface Verdict {
  readonly ratio?: number;
  readonly met?: boolean;
}

export function judge({ measured, against, bar }: Row): Verdict {
  const ratio = against && measured.value / against.quantity.value;
  const ratioPart = ratio === undefined ? {} : { ratio };
  if (!bar) return ratioPart;
  const judged = ratio ?? measured.value;
  const met = 'atLeast' in bar ? judged >= bar.atLeast : judged <= bar.atMost;
  return { ...ratioPart, met };
}
