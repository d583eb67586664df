import { cellWidth, wrap } from '../../shared/cell-width.ts';
import type { Key } from './keys.ts';

/** What stands in the composer; `at` is where the next character goes, in UTF-16 units. */
export interface Draft {
  readonly text: string;
  readonly at: number;
}

export const emptyDraft: Draft = { text: '', at: 0 };

export function editDraft(draft: Draft, key: Key): Draft {
  const { text, at } = draft;
  switch (key.key) {
    case 'text':
    case 'paste':
      return insert(draft, key.text);
    case 'newline':
      return insert(draft, '\n');
    case 'backspace':
      return { text: text.slice(0, before(text, at)) + text.slice(at), at: before(text, at) };
    case 'delete':
      return { text: text.slice(0, at) + text.slice(after(text, at)), at };
    case 'left':
      return { text, at: before(text, at) };
    case 'right':
      return { text, at: after(text, at) };
    case 'home':
      return { text, at: text.lastIndexOf('\n', at - 1) + 1 };
    case 'end': {
      const end = text.indexOf('\n', at);
      return { text, at: end < 0 ? text.length : end };
    }
    case 'clear':
      return emptyDraft;
    default:
      return draft;
  }
}

/**
 * Rows as they are shown, and the cursor among them: at most `maxRows`, those that hold the cursor.
 */
export function layOutDraft(
  { text, at }: Draft,
  columns: number,
  maxRows: number,
): { readonly rows: readonly string[]; readonly cursor: { x: number; y: number } } {
  const rows = text.split('\n').flatMap((line) => wrap(line, columns));
  const upToCursor = text.slice(0, at).split('\n');
  const cursorRows = upToCursor.flatMap((line) => wrap(line, columns));
  const y = cursorRows.length - 1;
  const from = Math.max(0, Math.min(y, rows.length - maxRows));
  return {
    rows: rows.slice(from, from + maxRows),
    cursor: { x: cellWidth(cursorRows[y] ?? ''), y: y - from },
  };
}

function insert({ text, at }: Draft, more: string): Draft {
  return { text: text.slice(0, at) + more + text.slice(at), at: at + more.length };
}

/** Never between the halves of a surrogate pair. */
function before(text: string, at: number): number {
  return Math.max(0, at - (/[\udc00-\udfff]/.test(text.charAt(at - 1)) ? 2 : 1));
}

function after(text: string, at: number): number {
  return Math.min(text.length, at + (/[\ud800-\udbff]/.test(text.charAt(at)) ? 2 : 1));
}
