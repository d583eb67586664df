import { cellWidth, wrap } from '../shared/cell-width.ts';
import { reveal } from '../shared/reveal.ts';

/** Of the terminal, in cells. */
export interface Size {
  readonly rows: number;
  readonly columns: number;
}

/** What one view of a text has; `hidden` of it are on no row of the view. */
export interface AskedView {
  readonly rows: readonly string[];
  readonly hidden: number;
}

/** Further rows of one line begin with it: padded with blanks, a line could look like two. */
const goesOn = '    ↳ ';
const margin = '  ';
const tabStop = 8;

/**
 * The text as rows of at most so many cells, all of it, with what hides in it made visible. Nothing
 * of it begins at the left edge, where our own lines do.
 */
export function layOut(text: string, { columns }: Pick<Size, 'columns'>): readonly string[] {
  const width = Math.max(columns, goesOn.length + 2);
  return text.split('\n').flatMap((line) => {
    const whole = expandTabs(`${margin}${reveal(line)}`);
    return hang(whole, isOfUnsureWidth.test(whole) ? Math.ceil(width / 2) : width);
  });
}

/**
 * Terminals do not agree on how wide U+FE0F makes the emoji before it; and where a row breaks
 * between two that a joiner joins, the joiner is shown by its number.
 */
const isOfUnsureWidth = /[\uFE0F\u200C\u200D]/;

function hang(line: string, width: number): readonly string[] {
  if (cellWidth(line) <= width) return [line];
  const [first = ''] = wrap(line, width);
  const rest = wrap(line.slice(first.length), Math.max(2, width - goesOn.length));
  return [reveal(first), ...rest.map((row) => `${goesOn}${reveal(row)}`)];
}

/** As a terminal would draw them, so that the widths are right. */
function expandTabs(line: string): string {
  if (!line.includes('\t')) return line;
  let shown = '';
  let width = 0;
  for (const part of line.split(/(\t)/)) {
    const more = part === '\t' ? ' '.repeat(tabStop - (width % tabStop)) : part;
    shown += more;
    width += cellWidth(more);
  }
  return shown;
}

/**
 * What of the rows stands above the prompt: all of them where `room` has them, else the beginning
 * and the end, with what is between them counted.
 */
export function summarise(rows: readonly string[], room: number): AskedView {
  if (rows.length <= room) return { rows, hidden: 0 };
  const shown = Math.max(2, room - 1);
  const head = Math.ceil(shown / 2);
  const tail = shown - head;
  const hidden = rows.slice(head, rows.length - tail);
  const count = `-- ${countOf(hidden)} are not shown here --`;
  const view = [...rows.slice(0, head), count, ...rows.slice(rows.length - tail)];
  return { rows: view, hidden: hidden.length };
}

function countOf(rows: readonly string[]): string {
  const characters = rows.reduce((sum, row) => sum + [...row.trim()].length, 0);
  return `${rows.length} ${rows.length === 1 ? 'row' : 'rows'} (${characters.toLocaleString('en-US')} characters)`;
}

/** One after another they are all of it. */
export function paginate(rows: readonly string[], room: number): readonly (readonly string[])[] {
  const size = Math.max(1, room);
  return Array.from({ length: Math.ceil(rows.length / size) }, (_, page) =>
    rows.slice(page * size, (page + 1) * size),
  );
}
