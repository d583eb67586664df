import type { WriteStream } from 'node:tty';
import { cellWidth, wrap } from '../../shared/cell-width.ts';
import type { Frame, Row, Size } from './frame.ts';

const styles = { dim: '\x1b[2m', alarm: '\x1b[31m', accent: '\x1b[36m' } as const;
/**
 * Lines of the transcript that are kept, for painting anew after a resize: more than any screen
 * has.
 */
const keptLines = 200;
/** Of one such line, its end. */
const keptLength = 16_384;

/**
 * After bytes of all kinds: ends any string sequence, and takes back the modes, margins and
 * character sets that matter.
 */
const sane =
  '\x18\x1b\\\x1b[!p\x0f\x1b(B\x1b[r\x1b[?6l\x1b[?7h\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1006l\x1b[0m';

/**
 * Keeps a transcript with a live part below it. On the normal screen the transcript scrolls away
 * into the terminal's history and only the live part is painted again, in place: rows are
 * overwritten, never erased first, and each paint is one write, so that whoever reads the screen in
 * between finds the old frame or the new one. On the alternate screen there is no history, and all
 * rows are ours.
 */
export class Painter {
  readonly #out: WriteStream;
  readonly #isAlternate: boolean;
  /** Not printed yet. */
  #fresh: string[] = [];
  #kept: string[] = [];
  /** What stands there; undefined when nobody knows. */
  #shown: readonly string[] | undefined = [];
  /** The cursor's distance from the first row of the live part. */
  #depth = 0;
  /** The frame that was painted last. */
  #painted = '';
  #isLost = false;

  constructor(out: WriteStream, isAlternate: boolean) {
    this.#out = out;
    this.#isAlternate = isAlternate;
    // The terminal was closed under us; whether that ends the program is not decided here.
    out.on('error', () => {
      this.#isLost = true;
    });
    this.#write(`${isAlternate ? '\x1b[?1049h' : ''}\x1b[?2004h`);
    if (isAlternate) this.#shown = undefined;
  }

  get size(): Size {
    return { columns: this.#out.columns || 80, rows: this.#out.rows || 24 };
  }

  /** Lines above the live part, from the next paint on. */
  append(...lines: readonly string[]): void {
    this.#fresh.push(...lines);
    this.#kept.push(...lines.map((line) => line.slice(-keptLength)));
    if (this.#kept.length > 2 * keptLines) this.#kept = this.#kept.slice(-keptLines);
  }

  setTitle(title: string): void {
    this.#write(`\x1b]0;${title}\x07`);
  }

  /** The terminal has another size, or shows what we did not paint. */
  invalidate(): void {
    this.#shown = undefined;
  }

  /** A frame that stands there already costs no output: a dialog is as quiet as a real one. */
  paint(frame: Frame): void {
    const rows = frame.rows.map(dress);
    const key = JSON.stringify([rows, frame.cursor]);
    if (this.#shown?.length && this.#fresh.length === 0 && key === this.#painted) return;
    this.#painted = key;
    const isWhole = this.#isAlternate || this.#shown === undefined;
    const body = isWhole ? this.#paintScreen(rows) : this.#paintLive(rows);
    // Both end on the live part's last row.
    const { x, y } = frame.cursor ?? { x: 0, y: rows.length - 1 };
    const up = rows.length - 1 - y;
    const place = `\r${up > 0 ? `\x1b[${up}A` : ''}${x > 0 ? `\x1b[${x}C` : ''}`;
    const end = frame.cursor ? '\x1b[?25h' : '';
    this.#depth = y;
    this.#write(`\x1b[?2026h\x1b[?25l${body}${place}${end}\x1b[?2026l`);
  }

  /** Past all of this: bytes as they are. The next paint goes below them. */
  async print(bytes: Buffer | string): Promise<void> {
    if (this.#shown?.length !== 0) {
      this.#write(`${this.#toTop()}\x1b[J`);
      this.#shown = [];
      this.#depth = 0;
    }
    if (this.#isLost) return;
    await new Promise<void>((resolve) => this.#out.write(bytes, () => resolve()));
  }

  /** After bytes that may have changed anything. */
  recover(): void {
    this.#write(`${sane}\x1b[?2004h`);
    this.invalidate();
  }

  close(): void {
    const below = this.#isAlternate ? '\x1b[?1049l' : `${this.#toTop()}\x1b[J`;
    this.#write(`${below}\x1b[?2004l\x1b[?25h\x1b[0m`);
  }

  #paintLive(rows: readonly string[]): string {
    const shown = this.#shown ?? [];
    const { columns } = this.size;
    let out = this.#toTop();
    for (const line of this.#fresh) {
      // A line that ends exactly at the margin has nothing behind it to erase.
      out += `${line}${line !== '' && cellWidth(line) % columns === 0 ? '' : '\x1b[K'}\r\n`;
    }
    const isSame = this.#fresh.length === 0 && shown.length === rows.length;
    out += rows
      .map((row, index) => (isSame && row === shown[index] ? '' : `${row}\x1b[K`))
      .join('\r\n');
    this.#fresh = [];
    this.#shown = rows;
    return isSame ? out : `${out}\x1b[J`;
  }

  /**
   * Row by row at its place, since erasing the whole screen would push it into the history once
   * more.
   */
  #paintScreen(live: readonly string[]): string {
    const { columns, rows } = this.size;
    const space = rows - live.length;
    const above = this.#kept.slice(-space).flatMap((line) => wrap(line, columns));
    const wanted = [...(space > 0 ? above.slice(-space) : []), ...live];
    const last = wanted.length;
    while (wanted.length < rows) wanted.push('');
    const shown = this.#isAlternate ? this.#shown : undefined;
    const out = wanted.map((row, index) =>
      shown?.[index] === row ? '' : `\x1b[${index + 1};1H\x1b[2K${row}`,
    );
    this.#fresh = [];
    this.#shown = this.#isAlternate ? wanted : live;
    return `${out.join('')}\x1b[${last};1H`;
  }

  #toTop(): string {
    return `\r${this.#depth > 0 ? `\x1b[${this.#depth}A` : ''}`;
  }

  #write(text: string): void {
    if (!this.#isLost) this.#out.write(text);
  }
}

function dress({ text, style }: Row): string {
  return style ? `${styles[style]}${text}\x1b[0m` : text;
}
