import { paint, type Style } from './output.ts';

/** Text before the first track: the time. */
const timeWidth = 8;
/** Between the last track and the notes. */
const noteGap = 3;
/** From track to track: enough for an arrow with its label, and more where the notes have what they want. */
const trackStep = { narrow: 9, usual: 12, wide: 16 } as const;
const noteWanted = 52;
const track = '│';

/** The drawing board of the timeline: one vertical track for each agent, a time before them and a note behind. */
export class Tracks {
  readonly #names: readonly string[];
  readonly #columns: number;
  readonly #step: number;

  constructor(names: readonly string[], columns: number) {
    this.#names = names;
    this.#columns = columns;
    const { narrow, usual, wide } = trackStep;
    const spare = columns - timeWidth - noteGap - 1 - noteWanted;
    const step = Math.floor(spare / Math.max(1, names.length - 1));
    this.#step = columns < 80 ? narrow : Math.min(wide, Math.max(usual, step));
  }

  get noteWidth(): number {
    return Math.max(0, this.#columns - this.#x(this.#names.length - 1) - noteGap - 1);
  }

  heads(): Line {
    const line = new Line();
    for (const [i, name] of this.#names.entries()) line.put(this.#x(i), name, 'bold');
    return line;
  }

  /** A line with every track on it; `isUp` says which of them run. */
  line(atMs: number, isUp: (name: string) => boolean): Line {
    const line = new Line();
    line.put(0, `${(atMs / 1000).toFixed(1)}s`.padStart(timeWidth - 2), 'dim');
    for (const [i, name] of this.#names.entries()) {
      line.put(this.#x(i), isUp(name) ? track : '·', 'dim');
    }
    return line;
  }

  mark(line: Line, name: string, character: string, style: Style): void {
    line.put(this.#x(this.#names.indexOf(name)), character, style);
  }

  /** From track to track, crossing those between; the label stands beside the sender. */
  arrow(line: Line, from: string, to: string, label: string, style: Style): void {
    const [fromX, toX] = [this.#x(this.#names.indexOf(from)), this.#x(this.#names.indexOf(to))];
    const toRight = fromX < toX;
    for (let x = Math.min(fromX, toX) + 1; x < Math.max(fromX, toX); x++) {
      line.put(x, line.at(x) === track ? '┼' : '─', style);
    }
    line.put(fromX, toRight ? '├' : '┤', style);
    line.put(toRight ? toX - 1 : toX + 1, toRight ? '►' : '◄', style);
    const room = this.#step - 2;
    const text = label.length + 2 <= room ? ` ${label} ` : label.slice(0, room);
    const away = text.length < room ? 2 : 1;
    line.put(toRight ? fromX + away : fromX - away - text.length + 1, text, undefined);
  }

  /** The first of the wordings that fits, else as much of the last as fits. */
  note(line: Line, wordings: readonly string[], style: Style | undefined): void {
    const width = this.noteWidth;
    const fitting = wordings.find((text) => text.length <= width) ?? wordings.at(-1) ?? '';
    const text = fitting.length > width ? `${fitting.slice(0, width - 1)}…` : fitting;
    line.put(this.#x(this.#names.length - 1) + noteGap, text, style);
  }

  #x(i: number): number {
    return timeWidth + i * this.#step;
  }
}

/** Characters with a style each, one screen cell per character. */
export class Line {
  readonly #cells: { character: string; style: Style | undefined }[] = [];

  put(x: number, text: string, style: Style | undefined): void {
    for (const [i, character] of [...text].entries()) this.#cells[x + i] = { character, style };
  }

  at(x: number): string | undefined {
    return this.#cells[x]?.character;
  }

  toString(): string {
    let text = '';
    for (let x = 0; x < this.#cells.length; ) {
      const style = this.#cells[x]?.style;
      let run = '';
      for (; x < this.#cells.length && this.#cells[x]?.style === style; x++) {
        run += this.#cells[x]?.character ?? ' ';
      }
      text += style ? paint(style, run) : run;
    }
    return text.trimEnd();
  }
}
