import type { ScreenPattern } from '../../src/terminals/backend.ts';

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
