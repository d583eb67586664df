import type { IBuffer, IMarker, Terminal } from '@xterm/headless';
import type { SeenRow } from './fresh-lines.ts';
import { switches } from './log-start.ts';

export interface ScreenSize {
  readonly columns: number;
  readonly rows: number;
}

/** A terminal that nobody looks at: what a program's output makes of it, as lines of text. */
export class Drawing {
  readonly #terminal: Terminal;
  readonly #left: LeftScreen[] = [];
  /** Second screens that were left since `takeRows`. */
  #leftSince: (readonly string[])[] = [];
  /** The line of the first screen from which `takeRows` goes on. */
  #from: IMarker | undefined;
  /** The top of the first screen when the second one came. */
  #topBefore: IMarker | undefined;

  private constructor(terminal: Terminal) {
    this.#terminal = terminal;
    this.#keepLeftScreens();
    refuseHugeCounts(terminal);
  }

  static async open({ columns, rows }: ScreenSize): Promise<Drawing> {
    // A CommonJS package: Node has what it exports as `default`, tsx has it by name.
    const loaded = await import('@xterm/headless');
    const { Terminal: Emulator } = loaded.default ?? loaded;
    const terminal = new Emulator({
      cols: columns,
      rows,
      scrollback: scrollbackLines,
      allowProposedApi: true,
      // It would tell of every byte that it does not expect, on stderr.
      logLevel: 'off',
    });
    return new Drawing(terminal);
  }

  write(bytes: Buffer): Promise<void> {
    return new Promise((done) => this.#terminal.write(bytes, done));
  }

  dispose(): void {
    this.#terminal.dispose();
  }

  /** All that scrolled away, the second screens that were left, and what stands there. */
  lines(): readonly string[] {
    const { buffer } = this.#terminal;
    const byLine = new Map<number, readonly string[]>();
    for (const { before, lines } of this.#left) {
      const line = before?.line ?? -1;
      byLine.set(line, [...(byLine.get(line) ?? []), ...lines]);
    }
    const at = (line: number): readonly string[] => byLine.get(line) ?? [];
    const first = trimEnd([...at(-1), ...textsOf(readLines(buffer.normal, 0, at))]);
    if (buffer.active.type !== 'alternate') return first;
    return [...first, ...trimEnd(textsOf(readLines(buffer.active)))];
  }

  /** What stands there, and what scrolled away or was left since the last call. */
  takeRows(): readonly SeenRow[] {
    const { buffer } = this.#terminal;
    const { normal, active } = buffer;
    const isSecond = active.type === 'alternate';
    const first = readLines(normal, Math.max(0, this.#from?.line ?? 0));
    const rows = [
      ...first.map((line) => ({
        text: line.text,
        isGone: line.last < normal.baseY,
        isOpen: !isSecond && isOpen(normal, line),
      })),
      ...this.#leftSince.flat().map((text) => ({ text, isGone: true })),
      ...(isSecond ? readLines(active) : []).map((line) => ({
        ...{ text: line.text, isGone: false, isOpen: isOpen(active, line) },
      })),
    ];
    this.#leftSince = [];
    // While the second screen stands, the first one does not move, and takes no marks.
    const next = isSecond ? this.#topBefore : this.#markTop();
    if (next !== this.#from) this.#from?.dispose();
    this.#from = next;
    return rows;
  }

  #markTop(): IMarker | undefined {
    return this.#terminal.registerMarker(-this.#terminal.buffer.normal.cursorY);
  }

  /**
   * A program that ends goes back to the first screen, and the emulator forgets the second one: it
   * is read in the moment before.
   */
  #keepLeftScreens(): void {
    const { parser, buffer } = this.#terminal;
    let before: IMarker | undefined;
    parser.registerCsiHandler({ prefix: '?', final: 'h' }, (params) => {
      if (isSwitch(params) && buffer.active.type === 'normal') {
        before = this.#terminal.registerMarker(0);
        this.#topBefore = this.#markTop();
      }
      return false;
    });
    parser.registerCsiHandler({ prefix: '?', final: 'l' }, (params) => {
      if (isSwitch(params) && buffer.active.type === 'alternate') {
        const lines = trimEnd(textsOf(readLines(buffer.active)));
        if (lines.length > 0) this.#left.push({ before, lines });
        if (this.#left.length > mostLeft) this.#left.shift();
        this.#leftSince = [...this.#leftSince, lines].slice(-mostLeft);
      }
      return false;
    });
  }
}

/** More than anybody reads; a line of 120 columns takes 1.4 KB. */
const scrollbackLines = 20_000;
/** A program that switches to and fro all the time must not fill the memory. */
const mostLeft = 200;

interface LeftScreen {
  /** The line of the first screen above which it stood; gone when that one was dropped. */
  readonly before: IMarker | undefined;
  readonly lines: readonly string[];
}

type Params = readonly (number | readonly number[])[];

function isSwitch(params: Params): boolean {
  return params.some((one) => switches.includes(one));
}

/**
 * The emulator (6.0.0) does what it is told as often as it is told: one tabulator two billion times
 * takes 6 s, one letter all the memory. No program means that.
 */
function refuseHugeCounts({ parser, rows, cols }: Terminal): void {
  const refuse = (finals: string, most: number): void => {
    const isHuge = (params: Params): boolean => params.flat().some((one) => one > most);
    for (const final of finals) parser.registerCsiHandler({ final }, isHuge);
  };
  refuse('bEF@PX', mostTimes);
  // Lines come and go one by one, 5 µs each: 4 KB of such sequences would take 50 s.
  refuse('LMST', rows);
  refuse('IZ', cols);
  // A reset makes the whole screen anew, 1 ms each for two bytes.
  let resets = 0;
  parser.registerEscHandler({ final: 'c' }, () => ++resets > mostResets);
}

const mostTimes = 9999;
const mostResets = 500;

interface Line {
  readonly text: string;
  /** Its last row. */
  readonly last: number;
}

/** `before` says what stands above a row. */
function readLines(
  buffer: IBuffer,
  from = 0,
  before: (row: number) => readonly string[] = () => [],
): readonly Line[] {
  const lines: Line[] = [];
  for (let at = from; at < buffer.length; at++) {
    lines.push(...before(at).map((text) => ({ text, last: at })));
    const row = buffer.getLine(at);
    const text = row?.translateToString(true) ?? '';
    const broken = row?.isWrapped ? lines.pop() : undefined;
    lines.push({ text: `${broken?.text ?? ''}${text}`, last: at });
  }
  // Full-screen programs paint blanks up to the edge, which would wrap in a narrower terminal.
  return lines.map(({ text, last }) => ({ text: text.trimEnd(), last }));
}

/** Nothing stands behind the cursor. */
function isOpen(buffer: IBuffer, { last }: Line): boolean {
  if (last !== buffer.baseY + buffer.cursorY) return false;
  return (buffer.getLine(last)?.translateToString(true, buffer.cursorX) ?? '') === '';
}

function textsOf(lines: readonly Line[]): readonly string[] {
  return lines.map(({ text }) => text);
}

/** Rows that nobody has written to. */
function trimEnd(lines: readonly string[]): readonly string[] {
  return lines.slice(0, lines.findLastIndex((line) => line !== '') + 1);
}
