/** Studied from this one on. */
export const oldestVersion = '0.6.8';

/** What is not a version is before every one. */
export function isBefore(version: string, other: string): boolean {
  const [mine, theirs] = [parse(version), parse(other)];
  if (!mine || !theirs) return true;
  const at = mine.findIndex((part, i) => part !== theirs[i]);
  return at >= 0 && (mine[at] ?? 0) < (theirs[at] ?? 0);
}

function parse(version: string): readonly number[] | undefined {
  const [, ...parts] = /^v?(\d+)\.(\d+)\.(\d+)/.exec(version) ?? [];
  return parts.length === 3 ? parts.map(Number) : undefined;
}
