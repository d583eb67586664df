/**
 * Rows as tmux captures them, with their styles written as a real herdr writes them (H8): whenever
 * something changes there is a reset, and then each style and each colour in a sequence of its own,
 * the sixteen named colours by their number in the palette.
 */
export function inPalette(lines: readonly string[]): readonly string[] {
  const pen = new Pen();
  let written = '';
  const rows = lines.map((line) => {
    let row = '';
    let at = 0;
    // Only where there is something to draw: tmux ends a row's styles behind its last letter.
    const draw = (text: string) => {
      if (text === '') return;
      if (pen.sequences !== written) row += `${reset}${pen.sequences}`;
      written = pen.sequences;
      row += text;
    };
    for (const match of line.matchAll(sgr)) {
      draw(line.slice(at, match.index));
      pen.apply(match[1] ?? '');
      at = match.index + match[0].length;
    }
    draw(line.slice(at));
    return row;
  });
  return written === '' ? rows : [...rows.slice(0, -1), `${rows.at(-1)}${reset}`];
}

const reset = '\x1b[0m';
// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences begin with one
const sgr = /\u001b\[([\d;:]*)m/g;

/** The order in which they are written. */
const styles = [1, 2, 3, 5, 7, 8, 9, 53, 4];
const colours = [38, 48, 58];

/** What each of these ends. */
const ends: Readonly<Record<number, readonly number[]>> = {
  ...{ 0: [...styles, ...colours], 22: [1, 2], 23: [3], 24: [4], 25: [5], 27: [7], 28: [8] },
  ...{ 29: [9], 55: [53], 39: [38], 49: [48], 59: [58] },
};

class Pen {
  readonly #on = new Map<number, string>();

  get sequences(): string {
    return [...styles, ...colours].map((code) => this.#on.get(code) ?? '').join('');
  }

  apply(parameters: string): void {
    const parts = parameters.split(';').map((part) => part || '0');
    for (let i = 0; i < parts.length; i++) {
      const part = parts[i] ?? '0';
      const code = Number.parseInt(part, 10);
      const named = numberInPalette(code);
      if (colours.includes(code)) {
        // With colons it is one part, in which the colour space may be left out.
        const isWhole = part.includes(':');
        const count = parts[i + 1] === '5' ? 2 : 4;
        const numbers = isWhole
          ? part.split(':').slice(1).filter(Boolean)
          : parts.slice(i + 1, i + 1 + count);
        if (!isWhole) i += count;
        this.#set(code, [code, ...numbers].join(';'));
      } else if (named) this.#set(named.code, `${named.code};5;${named.number}`);
      else if (ends[code]) for (const ended of ends[code]) this.#on.delete(ended);
      else this.#set(code, part);
    }
  }

  #set(code: number, parameters: string): void {
    this.#on.set(code, `\x1b[${parameters}m`);
  }
}

function numberInPalette(code: number): { code: number; number: number } | undefined {
  const tens = Math.floor(code / 10) * 10;
  const isBright = tens === 90 || tens === 100;
  if (code - tens > 7 || !(isBright || tens === 30 || tens === 40)) return undefined;
  return { code: tens === 30 || tens === 90 ? 38 : 48, number: code - tens + (isBright ? 8 : 0) };
}
