import { type TextStyle, textStyles } from './rules.ts';

/** One row of a screen that was captured with its SGR sequences. */
export interface StyledRow {
  /** Without them. */
  readonly text: string;
  /** Whether the character at this index of the text is drawn so. */
  has(style: TextStyle, index: number): boolean;
  /** Its colour as the sequences name it; undefined for the terminal's own. */
  colour(index: number): string | undefined;
}

/** What is switched on: codes of styles, and the colour of the letters. */
interface Pen {
  readonly codes: ReadonlySet<number>;
  readonly colour: string | undefined;
}

/**
 * The state runs on over the ends of rows: tmux writes only what changes from one cell to the next.
 */
export function readStyles(lines: readonly string[]): readonly StyledRow[] {
  let pen: Pen = { codes: new Set(), colour: undefined };
  return lines.map((line) => {
    let text = '';
    const spans: { readonly from: number; readonly pen: Pen }[] = [{ from: 0, pen }];
    let at = 0;
    for (const match of line.matchAll(sequence)) {
      text += line.slice(at, match.index);
      at = match.index + match[0].length;
      if (match[1] === undefined) continue;
      pen = applySgr(pen, match[1]);
      spans.push({ from: text.length, pen });
    }
    text += line.slice(at);
    const penAt = (index: number): Pen | undefined =>
      spans.findLast(({ from }) => from <= index)?.pen;
    return {
      text,
      has: (style, index) => penAt(index)?.codes.has(textStyles[style]) ?? false,
      colour: (index) => penAt(index)?.colour,
    };
  });
}

/** Text as `tmux capture-pane -e` prints it, without everything that is not text. */
export function stripSequences(line: string): string {
  return line.replace(sequence, '');
}

/**
 * A sequence that moves the cursor or erases: found in what a program writes, never in a rendered
 * screen.
 */
export function hasMotion(text: string): boolean {
  return motion.test(text);
}

// SGR (its parameters are group 1), other CSI, OSC with either end, character sets, and the shifts
// tmux writes for line drawing.
const sequence =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
  /\u001b\[([\d;:]*)m|\u001b\[[0-?]*[ -/]*[@-~]|\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)|\u001b[()][A-Z0-9]|[\u000e\u000f]/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const motion = /\u001b\[[0-?]*[ -/]*[A-HJKSTfdhlr]/;

/** The code that ends each style; 22 ends two. */
const ends: Readonly<Record<number, readonly number[]>> = { 22: [1, 2], 23: [3], 27: [7] };

function applySgr(before: Pen, parameters: string): Pen {
  const active = new Set(before.codes);
  let { colour } = before;
  const codes = parameters === '' ? ['0'] : parameters.split(';');
  for (let i = 0; i < codes.length; i++) {
    const part = codes[i] || '0';
    const code = Number(part);
    // A colour brings its own numbers (38;5;n or 38;2;r;g;b), and a 2 among them is not "dim". With
    // colons it is one part.
    if (code === 38 || code === 48 || code === 58) {
      const count = codes[i + 1] === '5' ? 2 : 4;
      if (code === 38) colour = codes.slice(i, i + count + 1).join(';');
      i += count;
    } else if (part.startsWith('38:') || namedColour.test(part)) colour = part;
    else if (code === 39) colour = undefined;
    else if (code === 0) {
      active.clear();
      colour = undefined;
    } else if (ends[code]) for (const style of ends[code]) active.delete(style);
    else if (Object.values<number>(textStyles).includes(code)) active.add(code);
  }
  return { codes: active, colour };
}

/** The eight that every terminal has, and their bright ones. */
const namedColour = /^(?:3|9)[0-7]$/;
