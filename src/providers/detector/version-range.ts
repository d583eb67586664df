/** `>=2.1.0 <3`: every part must hold. Suffixes such as `-beta.1` are not compared. */
export interface VersionRange {
  readonly text: string;
  readonly parts: readonly { readonly operator: Operator; readonly version: readonly number[] }[];
}

type Operator = keyof typeof operators;

const operators = {
  '>=': (order: number) => order >= 0,
  '>': (order: number) => order > 0,
  '<=': (order: number) => order <= 0,
  '<': (order: number) => order < 0,
  '=': (order: number) => order === 0,
} as const;

/** Undefined when it is not a range. */
export function parseVersionRange(text: string): VersionRange | undefined {
  const words = text.trim().split(/\s+/);
  const parts = words.map((word) => {
    const [, operator = '=', digits = ''] = /^(>=|<=|[<>=])?(\d+(?:\.\d+){0,3})$/.exec(word) ?? [];
    return { operator: operator as Operator, version: parseVersion(digits) };
  });
  return parts.every(({ version }) => version.length > 0) ? { text, parts } : undefined;
}

export function isInRange(range: VersionRange, version: string): boolean {
  const parsed = parseVersion(version);
  return range.parts.every((part) => operators[part.operator](compare(parsed, part.version)));
}

/** Empty when the text holds no version. */
export function parseVersion(text: string): readonly number[] {
  const [digits] = /\d+(?:\.\d+){0,3}/.exec(text) ?? [];
  return digits?.split('.').map(Number) ?? [];
}

/** Missing parts are zeros: 3 is 3.0.0. */
function compare(a: readonly number[], b: readonly number[]): number {
  for (let i = 0; i < Math.max(a.length, b.length); i++) {
    const difference = (a[i] ?? 0) - (b[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
