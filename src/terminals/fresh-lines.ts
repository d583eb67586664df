/** A line of a terminal, as it stands now. */
export interface SeenRow {
  readonly text: string;
  /** It scrolled away, or its screen was left: nothing will paint over it any more. */
  readonly isGone: boolean;
  /** The cursor stands at its end: it is still being written. */
  readonly isOpen?: boolean;
}

interface KnownRow {
  readonly text: string;
  readonly since: number;
  isTold: boolean;
}

/**
 * For whoever follows a terminal whose screen is painted again and again: each line once, when it
 * has stood for a second or can change no more. A spinner and a line that is still being written
 * never stand so long; one that only waits for its rest is held back.
 */
export class FreshLines {
  #known: readonly KnownRow[] = [];

  /** Those that whoever follows has read already. */
  skip(rows: readonly SeenRow[]): void {
    const stand = rows.filter(({ isGone }) => !isGone);
    this.#known = stand.map(({ text }) => ({ text, since: 0, isTold: true }));
  }

  take(rows: readonly SeenRow[], now: number): readonly string[] {
    const kept = align(this.#known, rows);
    const told: string[] = [];
    let isBelowTold = false;
    let gaps = 0;
    const known = rows.map(({ text, isGone, isOpen }, at): KnownRow => {
      const row = kept[at] ?? { text, since: now, isTold: false };
      if (text === '') {
        if (isBelowTold) gaps++;
        return row;
      }
      const isNews = !row.isTold && (isGone || (!isOpen && now - row.since >= stoodMs));
      if (isNews) told.push(...(gaps > 0 ? [''] : []), text);
      [isBelowTold, gaps] = [isNews, 0];
      return { ...row, isTold: row.isTold || isNews };
    });
    this.#known = known.filter((_, at) => rows[at]?.isGone === false);
    return told;
  }
}

const stoodMs = 1000;

/** For each row the known one that it is, in the same order on both sides, as many as can be. */
function align(
  known: readonly KnownRow[],
  rows: readonly SeenRow[],
): readonly (KnownRow | undefined)[] {
  const lengths = Array.from({ length: known.length + 1 }, () => new Uint32Array(rows.length + 1));
  const at = (one: number, other: number): number => lengths[one]?.[other] ?? 0;
  for (let one = known.length - 1; one >= 0; one--) {
    for (let other = rows.length - 1; other >= 0; other--) {
      const row = lengths[one];
      if (!row) continue;
      const isSame = known[one]?.text === rows[other]?.text;
      row[other] = isSame
        ? at(one + 1, other + 1) + 1
        : Math.max(at(one + 1, other), at(one, other + 1));
    }
  }
  const kept: (KnownRow | undefined)[] = rows.map(() => undefined);
  for (let one = 0, other = 0; one < known.length && other < rows.length; ) {
    if (known[one]?.text === rows[other]?.text) kept[other++] = known[one++];
    else if (at(one + 1, other) >= at(one, other + 1)) one++;
    else other++;
  }
  return kept;
}
