interface Mutant {
  /** What was done to it, and where. */
  readonly change: string;
  readonly value: unknown;
}

/**
 * Copies of a document, each with one change that makes it another kind of document: a field of
 * another type, and one field more.
 */
export function mutate(document: unknown, place = ''): readonly Mutant[] {
  if (Array.isArray(document)) {
    return document.flatMap((item, at) =>
      mutate(item, `${place}[${at}]`).map(({ change, value }) => ({
        change,
        value: document.with(at, value),
      })),
    );
  }
  if (typeof document !== 'object' || document === null) return [];
  const fields = Object.entries(document).flatMap(([key, value]) => {
    const path = `${place}.${key}`;
    const inner = mutate(value, path).map((mutant) => ({
      ...mutant,
      value: { ...document, [key]: mutant.value },
    }));
    return [
      { change: `${path} of another type`, value: { ...document, [key]: other(value) } },
      ...inner,
    ];
  });
  return [...fields, { change: `${place}.odd is new`, value: { ...document, odd: 1 } }];
}

function other(value: unknown): unknown {
  return typeof value === 'object' && value !== null ? 7 : [7];
}
