import { cellWidth } from '../shared/cell-width.ts';
import { reveal } from '../shared/reveal.ts';

/**
 * A rendered screen, taken apart for a page: rows of pieces of one style. It is no emulator. What
 * comes is what the backend has drawn: text and colours (SGR), a row a line. Every other sequence,
 * a query or a clipboard write among them, is shown as text and does nothing.
 */
export interface ScreenPiece {
  readonly text: string;
  readonly style: PieceStyle;
  /** Cells that it takes; a piece that a font may draw too wide or narrow stands alone. */
  readonly cells: number;
}

export interface PieceStyle {
  /** `0` to `255` of the palette, or `#rrggbb`; undefined is the page's own. */
  readonly ink?: string;
  readonly paper?: string;
  readonly bold?: true;
  readonly dim?: true;
  readonly italic?: true;
  readonly underline?: true;
  readonly strike?: true;
  readonly inverse?: true;
}

/** More rows or columns than any terminal has are not drawn. */
const most = { rows: 500, columns: 1000 };

export function readScreen(data: string): readonly (readonly ScreenPiece[])[] {
  let style: PieceStyle = {};
  return data
    .split(/\r?\n/)
    .slice(0, most.rows)
    .map((line) => {
      const pieces: ScreenPiece[] = [];
      let at = 0;
      for (const match of line.matchAll(sgr)) {
        cut(pieces, line.slice(at, match.index), style);
        style = restyle(style, match[1] ?? '');
        at = match.index + match[0].length;
      }
      cut(pieces, line.slice(at), style);
      return pieces.slice(0, most.columns);
    });
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: it begins with one
const sgr = /\u001b\[([\d;:]*)m/g;

/** Plain text in one piece; whatever is not one cell wide in one of its own. */
function cut(pieces: ScreenPiece[], text: string, style: PieceStyle): void {
  for (const [piece] of reveal(text).matchAll(runs)) {
    pieces.push({ text: piece, style, cells: cellWidth(piece) });
  }
}

/** ASCII, lines of boxes and blocks, then characters with their marks and joiners. */
const runs = /[ -~]+|[\u2500-\u259f]+|[^ -~](?:\p{M}|\ufe0f|\u200d.)*/gsu;

function restyle(style: PieceStyle, codes: string): PieceStyle {
  const numbers = codes.split(/[;:]/).map(Number);
  let next = style;
  for (let i = 0; i < numbers.length; i++) {
    const code = numbers[i] ?? 0;
    if (code === 38 || code === 48) {
      const [colour, used] = readColour(numbers.slice(i + 1));
      next = paint(next, code === 38 ? 'ink' : 'paper', colour);
      i += used;
    } else next = apply(next, code);
  }
  return next;
}

const switches: Readonly<Record<number, Partial<PieceStyle>>> = {
  1: { bold: true },
  2: { dim: true },
  3: { italic: true },
  4: { underline: true },
  7: { inverse: true },
  9: { strike: true },
};

const ends: Readonly<Record<number, readonly (keyof PieceStyle)[]>> = {
  22: ['bold', 'dim'],
  23: ['italic'],
  24: ['underline'],
  27: ['inverse'],
  29: ['strike'],
  39: ['ink'],
  49: ['paper'],
};

function apply(style: PieceStyle, code: number): PieceStyle {
  if (code === 0) return {};
  if (code >= 30 && code <= 37) return paint(style, 'ink', String(code - 30));
  if (code >= 90 && code <= 97) return paint(style, 'ink', String(code - 82));
  if (code >= 40 && code <= 47) return paint(style, 'paper', String(code - 40));
  if (code >= 100 && code <= 107) return paint(style, 'paper', String(code - 92));
  const over = ends[code];
  if (!over) return { ...style, ...switches[code] };
  const kept = Object.entries(style).filter(([key]) => !over.includes(key as keyof PieceStyle));
  return Object.fromEntries(kept);
}

function paint(style: PieceStyle, where: 'ink' | 'paper', colour: string | undefined): PieceStyle {
  return colour === undefined ? style : { ...style, [where]: colour };
}

/** `5;n` and `2;r;g;b`, with how many numbers they took. */
function readColour([kind, ...rest]: readonly number[]): readonly [string | undefined, number] {
  const isByte = (n: number | undefined): n is number =>
    n !== undefined && Number.isInteger(n) && n >= 0 && n <= 255;
  if (kind === 5) return [isByte(rest[0]) ? String(rest[0]) : undefined, 2];
  if (kind !== 2) return [undefined, 0];
  const rgb = rest.slice(0, 3);
  if (rgb.length < 3 || !rgb.every(isByte)) return [undefined, 4];
  return [`#${rgb.map((n) => n.toString(16).padStart(2, '0')).join('')}`, 4];
}

/** Of the 256 colours those behind the first 16, which are the page's own. */
export function paletteColour(index: number): string {
  if (index >= 232) return hex([1, 1, 1].map((n) => n * (8 + (index - 232) * 10)));
  const level = (n: number): number => (n === 0 ? 0 : 55 + n * 40);
  const cube = index - 16;
  return hex([Math.floor(cube / 36), Math.floor(cube / 6) % 6, cube % 6].map(level));
}

function hex(rgb: readonly number[]): string {
  return `#${rgb.map((n) => n.toString(16).padStart(2, '0')).join('')}`;
}
