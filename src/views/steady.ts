/**
 * Nothing moves under a pointer or a focus: while a list is held, its rows keep their places, and
 * what came meanwhile waits for the moment at which it is let go.
 */
export interface Steady<Item> {
  readonly shown: readonly Shown<Item>[];
  /** Rows that wait to be let in, or to be moved. */
  readonly pending: number;
}

interface Shown<Item> {
  readonly item: Item;
  /** It is not in the list any more, and keeps its place until the list is let go. */
  readonly isGone: boolean;
}

interface Named {
  readonly id: string;
}

/** The list as it is to be shown: `held` has what stands on the screen, undefined when free. */
export function keepSteady<Item extends Named>(
  wanted: readonly Item[],
  held: readonly Item[] | undefined,
): Steady<Item> {
  if (!held) return { shown: wanted.map((item) => ({ item, isGone: false })), pending: 0 };
  const now = new Map(wanted.map((item) => [item.id, item]));
  const known = new Set(held.map(({ id }) => id));
  const shown = held.map((old) => ({ item: now.get(old.id) ?? old, isGone: !now.has(old.id) }));
  return { shown, pending: wanted.filter(({ id }) => !known.has(id)).length };
}
