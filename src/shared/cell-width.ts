/**
 * How many cells a terminal gives to a text. Enough of Unicode for what people paste; the rest is
 * one cell each.
 */
export function cellWidth(text: string): number {
  let width = 0;
  for (const character of text) width += widthOf(character);
  return width;
}

/** As much of the text as fits. */
export function shorten(text: string, columns: number): string {
  if (text.length <= columns && isPlain(text)) return text;
  return wrap(text, columns)[0] ?? '';
}

/** Hard rows of at most `columns` cells, at least one. */
export function wrap(text: string, columns: number): readonly string[] {
  const rows: string[] = [];
  let row = '';
  let width = 0;
  for (const character of text) {
    const more = widthOf(character);
    if (width + more > columns && row !== '') {
      rows.push(row);
      row = '';
      width = 0;
    }
    row += character;
    width += more;
  }
  rows.push(row);
  return rows;
}

function widthOf(character: string): number {
  if (character <= '~') return 1;
  if (/^(?:\p{M}|\p{Cf})/u.test(character)) return 0;
  return wide.test(character) ? 2 : 1;
}

function isPlain(text: string): boolean {
  return /^[ -~]*$/.test(text);
}

const wide =
  /^[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}\p{Emoji_Presentation}]/u;
