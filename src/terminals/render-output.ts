import type { IBuffer, IMarker, Terminal } from '@xterm/headless';

/**
 * What a person would have seen of a program's raw output: the lines that scrolled away, the second
 * screens that the program has left (each as it was last), and the screen as it stands. A line that
 * the terminal had broken at its edge is one line again, so the width matters little.
 */
export async function renderOutput(bytes: Buffer, size: ScreenSize): Promise<readonly string[]> {
  // A CommonJS package: Node has what it exports as `default`, tsx has it by name.
  const loaded = await import('@xterm/headless');
  const { Terminal: Emulator } = loaded.default ?? loaded;
  const terminal = new Emulator({
    cols: size.columns,
    rows: size.rows,
    scrollback: scrollbackLines,
    allowProposedApi: true,
    // It would tell of every byte that it does not expect, on stderr.
    logLevel: 'off',
  });
  try {
    const screens = keepLeftScreens(terminal);
    refuseHugeCounts(terminal);
    await new Promise<void>((done) => terminal.write(bytes, done));
    return trimEnd(gather(terminal, screens));
  } finally {
    terminal.dispose();
  }
}

interface ScreenSize {
  readonly columns: number;
  readonly rows: number;
}

/** More than anybody reads; a line of 120 columns takes 1.4 KB. */
const scrollbackLines = 20_000;

interface LeftScreen {
  /** The line of the first screen above which it stood; gone when that one was dropped. */
  readonly before: IMarker | undefined;
  readonly lines: readonly string[];
}

/**
 * A program that ends goes back to the first screen, and the emulator forgets the second one: it
 * is read in the moment before.
 */
function keepLeftScreens(terminal: Terminal): readonly LeftScreen[] {
  const left: LeftScreen[] = [];
  let before: IMarker | undefined;
  const isSwitch = (params: Params): boolean => params.some((one) => switches.includes(one));
  const { parser, buffer } = terminal;
  parser.registerCsiHandler({ prefix: '?', final: 'h' }, (params) => {
    if (isSwitch(params) && buffer.active.type === 'normal') before = terminal.registerMarker(0);
    return false;
  });
  parser.registerCsiHandler({ prefix: '?', final: 'l' }, (params) => {
    if (isSwitch(params) && buffer.active.type === 'alternate') {
      const lines = trimEnd(readLines(buffer.active));
      if (lines.length > 0) left.push({ before, lines });
      if (left.length > mostLeft) left.shift();
    }
    return false;
  });
  return left;
}

type Params = readonly (number | readonly number[])[];

/** The modes by which programs go to the second screen and back. */
const switches: readonly (number | readonly number[])[] = [47, 1047, 1049];
/** A program that switches to and fro all the time must not fill the memory. */
const mostLeft = 200;

/**
 * The emulator (6.0.0) does what it is told as often as it is told: one tabulator two billion times
 * takes 6 s, one letter all the memory. No program means that.
 */
function refuseHugeCounts({ parser }: Terminal): void {
  const isHuge = (params: Params): boolean => params.flat().some((one) => one > mostTimes);
  for (const final of 'ILMSTZbEF@PX') parser.registerCsiHandler({ final }, isHuge);
}

const mostTimes = 9999;

function gather({ buffer }: Terminal, screens: readonly LeftScreen[]): readonly string[] {
  const byLine = new Map<number, readonly string[]>();
  for (const { before, lines } of screens) {
    const line = before?.line ?? -1;
    byLine.set(line, [...(byLine.get(line) ?? []), ...lines]);
  }
  const at = (line: number): readonly string[] => byLine.get(line) ?? [];
  const first = trimEnd([...at(-1), ...readLines(buffer.normal, at)]);
  return buffer.active.type === 'alternate' ? [...first, ...readLines(buffer.active)] : first;
}

/** `before` says what stands above a line. */
function readLines(
  buffer: IBuffer,
  before: (line: number) => readonly string[] = () => [],
): readonly string[] {
  const lines: string[] = [];
  for (let at = 0; at < buffer.length; at++) {
    lines.push(...before(at));
    const line = buffer.getLine(at);
    const text = line?.translateToString(true) ?? '';
    if (line?.isWrapped && lines.length > 0) lines.push(`${lines.pop()}${text}`);
    else lines.push(text);
  }
  return lines;
}

/** Rows that nobody has written to. */
function trimEnd(lines: readonly string[]): readonly string[] {
  return lines.slice(0, lines.findLastIndex((line) => line !== '') + 1);
}
