import { type TextStyle, textStyles } from './rules.ts';

/** One row of a screen that was captured with its SGR sequences. */
export interface StyledRow {
  /** Without them. */
  readonly text: string;
  /** Whether the character at this index of the text is drawn so. */
  has(style: TextStyle, index: number): boolean;
}

/** The state runs on over the ends of rows: tmux writes only what changes from one cell to the next. */
export function readStyles(lines: readonly string[]): readonly StyledRow[] {
  let active: ReadonlySet<number> = new Set();
  return lines.map((line) => {
    let text = '';
    const spans: { readonly from: number; readonly active: ReadonlySet<number> }[] = [
      { from: 0, active },
    ];
    let at = 0;
    for (const match of line.matchAll(sequence)) {
      text += line.slice(at, match.index);
      at = match.index + match[0].length;
      if (match[1] === undefined) continue;
      active = applySgr(active, match[1]);
      spans.push({ from: text.length, active });
    }
    text += line.slice(at);
    return {
      text,
      has: (style, index) =>
        spans.findLast(({ from }) => from <= index)?.active.has(textStyles[style]) ?? false,
    };
  });
}

/** Text as `tmux capture-pane -e` prints it, without everything that is not text. */
export function stripSequences(line: string): string {
  return line.replace(sequence, '');
}

/** A sequence that moves the cursor or erases: found in what a program writes, never in a rendered screen. */
export function hasMotion(text: string): boolean {
  return motion.test(text);
}

// SGR (its parameters are group 1), other CSI, OSC with either end, character sets, and the shifts tmux writes for line drawing.
const sequence =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
  /\u001b\[([\d;:]*)m|\u001b\[[0-?]*[ -/]*[@-~]|\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)|\u001b[()][A-Z0-9]|[\u000e\u000f]/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const motion = /\u001b\[[0-?]*[ -/]*[A-HJKSTfdhlr]/;

/** The code that ends each style; 22 ends two. */
const ends: Readonly<Record<number, readonly number[]>> = { 22: [1, 2], 23: [3], 27: [7] };

function applySgr(before: ReadonlySet<number>, parameters: string): ReadonlySet<number> {
  const active = new Set(before);
  const codes = parameters === '' ? ['0'] : parameters.split(';');
  for (let i = 0; i < codes.length; i++) {
    const code = Number(codes[i] || '0');
    // A colour brings its own numbers (38;5;n or 38;2;r;g;b), and a 2 among them is not "dim". With colons it is one part.
    if (code === 38 || code === 48 || code === 58) i += codes[i + 1] === '5' ? 2 : 4;
    else if (code === 0) active.clear();
    else if (ends[code]) for (const style of ends[code]) active.delete(style);
    else if (Object.values<number>(textStyles).includes(code)) active.add(code);
  }
  return active;
}
