import type { ScreenGuard, ScreenPattern } from '../../src/terminals/writing.ts';

/** Whether the guard of a CLI would keep a key from this screen. */
export function isBarred(lines: readonly string[], { absent }: ScreenGuard): boolean {
  return absent.some((pattern) => {
    const isPassed = typeof pattern !== 'string' && 'unless' in pattern;
    if (isPassed && findRow(lines, pattern.unless) >= 0) return false;
    return findRow(lines, pattern) >= 0;
  });
}

/**
 * The row in which tmux would find it, or -1. Rows have no blanks at their ends there; a no-break
 * space stays (3.3a).
 */
export function findRow(lines: readonly string[], pattern: ScreenPattern): number {
  const rows = lines.map((line) => line.replace(/[ \t]+$/, ''));
  if (typeof pattern === 'string') return rows.findIndex((row) => row.includes(pattern));
  const regex = new RegExp(pattern.regex, 'u');
  return rows.findIndex((row) => regex.test(row));
}
