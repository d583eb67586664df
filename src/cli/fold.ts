import { fstatSync } from 'node:fs';
import { cellWidth, shorten } from '../shared/cell-width.ts';

/**
 * Lines of at most so many cells, broken between words: a terminal breaks within them. A command
 * (`signalbox ls`, or what an arrow leads to) is never broken: pasted in two lines it would be
 * another one. What does not fit stays whole on a line of its own.
 */
export function fold(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  for (const [, gap = '', unit = ''] of text.matchAll(units)) {
    const last = lines.at(-1);
    const longer = `${last}${gap}${unit}`;
    if (last !== undefined && cellWidth(longer) <= width) lines.splice(-1, 1, longer);
    else lines.push(last === undefined ? `${gap}${unit}` : unit);
  }
  return lines.length === 0 ? [''] : lines;
}

const units = /( *)(→ signalbox .*$|(?:`[^`]*`|[^ ])+)/g;

/** For a terminal of so many columns; what is no terminal (undefined) gets one line. */
export function hang(text: string, columns: number | undefined, margin: number): string {
  if (columns === undefined) return text;
  return fold(text, Math.max(20, columns - margin)).join(`\n${' '.repeat(margin)}`);
}

/**
 * A table whose last column may be cut: a row that wraps is two that nobody can read. Its heads are
 * short, and painted.
 */
export function cutRows(table: string, columns: number | undefined): string {
  if (columns === undefined) return table;
  const [heads, ...rows] = table.split('\n');
  const cut = (row: string): string =>
    cellWidth(row) <= columns ? row : `${shorten(row, columns - 1).trimEnd()}…`;
  return [heads, ...rows.map(cut)].join('\n');
}

/** Of the terminal that stdout or stderr is; undefined where it is none. */
export function columnsOf(fd: 1 | 2): number | undefined {
  try {
    // A stream of Node is loaded for a terminal alone: that takes longer than most commands.
    if (!fstatSync(fd).isCharacterDevice()) return undefined;
  } catch {
    return undefined; // It is closed, so nothing will be printed.
  }
  return (fd === 1 ? process.stdout.columns : process.stderr.columns) || undefined;
}
