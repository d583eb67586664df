/**
 * Bounds what is remembered to the newest, in the order in which they were put in; putting one in
 * again does not make it newer. For memories that make things better, not right: whatever is asked
 * for and was forgotten is found out anew.
 */
export function forgetOldest(
  kept: Pick<Map<unknown, unknown>, 'size' | 'delete'> & { keys(): Iterable<unknown> },
  most: number,
): void {
  for (const oldest of kept.keys()) {
    if (kept.size <= most) return;
    kept.delete(oldest);
  }
}
