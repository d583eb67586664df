/** A stretch of text that is drawn in one way. */
interface Stretch {
  readonly text: string;
  /** The number in the palette, or `r;g;b`; none for the terminal's own. */
  readonly colour: string | undefined;
  readonly isBold: boolean;
  /** Only where it is. */
  readonly isDim?: true;
}

/**
 * How a text is drawn, by meaning and not by bytes: red is `1` whether it was written as 31, as
 * 38;5;1 or as 38:5:1, after a reset or without one.
 */
export function readSgr(text: string): readonly Stretch[] {
  const found: Stretch[] = [];
  let colour: string | undefined;
  let isBold = false;
  let isDim = false;
  let at = 0;
  const add = (end?: number) => {
    const part = text.slice(at, end);
    if (part === '') return;
    found.push({ text: part, colour, isBold, ...(isDim ? { isDim } : {}) });
  };
  for (const match of text.matchAll(sgr)) {
    add(match.index);
    at = match.index + match[0].length;
    const codes = (match[1] || '0').replaceAll(/:+/g, ';').split(';').map(Number);
    for (let i = 0; i < codes.length; i++) {
      const code = codes[i] ?? 0;
      if (code === 0 || code === 39) colour = undefined;
      if (code === 0 || code === 22) isBold = isDim = false;
      if (code === 1) isBold = true;
      if (code === 2) isDim = true;
      if (code >= 30 && code <= 37) colour = `${code - 30}`;
      if (code >= 90 && code <= 97) colour = `${code - 82}`;
      if (![38, 48, 58].includes(code)) continue;
      const count = codes[i + 1] === 5 ? 1 : 3;
      if (code === 38) colour = codes.slice(i + 2, i + 2 + count).join(';');
      i += count + 1;
    }
  }
  add();
  return found;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences begin with one
const sgr = /\u001b\[([\d;:]*)m/g;
