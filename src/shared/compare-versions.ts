/**
 * By the rules of semver, without build metadata: negative where the first is older. 0 also where
 * one of them is no version at all: of those nobody can say which is older.
 */
export function compareVersions(one: string, other: string): number {
  const [a, b] = [parse(one), parse(other)];
  if (!a || !b) return 0;
  for (const [i, part] of a.numbers.entries()) {
    const difference = part - (b.numbers[i] ?? 0);
    if (difference !== 0) return difference;
  }
  // 1.0.0-beta comes before 1.0.0.
  if (a.pre.length === 0 || b.pre.length === 0) return b.pre.length - a.pre.length;
  return comparePre(a.pre, b.pre);
}

function parse(text: string) {
  const [, major, minor, patch, pre] =
    /^(\d+)\.(\d+)\.(\d+)(?:-([0-9A-Za-z.-]+))?(?:\+\S*)?$/.exec(text) ?? [];
  if (major === undefined) return undefined;
  return { numbers: [major, minor, patch].map(Number), pre: pre?.split('.') ?? [] };
}

function comparePre(one: readonly string[], other: readonly string[]): number {
  for (let i = 0; i < Math.max(one.length, other.length); i++) {
    const [a, b] = [one[i], other[i]];
    if (a === undefined || b === undefined) return one.length - other.length;
    if (a === b) continue;
    const [isA, isB] = [/^\d+$/.test(a), /^\d+$/.test(b)];
    if (isA && isB) return Number(a) - Number(b);
    // Numbers come before words.
    if (isA !== isB) return isA ? -1 : 1;
    return a < b ? -1 : 1;
  }
  return 0;
}
