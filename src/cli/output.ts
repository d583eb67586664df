import { fstatSync, fsyncSync, writeSync } from 'node:fs';
import { Fault } from '../shared/fault.ts';

/**
 * Writes to stdout, and returns when the last byte has left the process: that is what "flushed" means in rule 17. A reader
 * that went away, or a full disk behind a redirection, is a `Fault`. Not `process.stdout`: loading its streams takes longer
 * than most commands.
 */
export function writeOut(text: string | Buffer): void {
  try {
    writeAll(1, text);
  } catch (error) {
    throw outputLost(error);
  }
}

export function writeJson(document: unknown): void {
  writeDocument(JSON.stringify(document));
}

let isDocumentWritten = false;

/** The one document of `--json`. Whoever fails after it says so on stderr alone. */
export function writeDocument(text: string): void {
  isDocumentWritten = true;
  writeOut(`${text}\n`);
}

export function hasWrittenDocument(): boolean {
  return isDocumentWritten;
}

/** To the disk, where stdout is a file: what is acked must survive a power cut (O4). */
export function syncOut(): void {
  if (!fstatSync(1).isFile()) return;
  try {
    fsyncSync(1);
  } catch (error) {
    // Not every file can be synced (those of /proc, say): that loses nothing.
    if (['EINVAL', 'ENOTSUP'].includes((error as NodeJS.ErrnoException).code ?? '')) return;
    throw outputLost(error);
  }
}

export function writeError(line: string): void {
  try {
    writeAll(2, `${line}\n`);
  } catch {
    // Nobody reads stderr; the exit code still tells.
  }
}

/** On a terminal it is broken between words, where a terminal would break inside them; a pipe or a file gets one line. */
export function writeLongError(line: string): void {
  let isSeen = false;
  try {
    isSeen = fstatSync(2).isCharacterDevice();
  } catch {
    // There is no stderr, so nothing will be printed.
  }
  const columns = Math.min(80, (isSeen ? process.stderr.columns : undefined) ?? 80);
  writeError(isSeen ? fold(line, columns - 1).join('\n') : line);
}

function writeAll(fd: number, text: string | Buffer): void {
  const bytes = typeof text === 'string' ? Buffer.from(text) : text;
  for (let sent = 0; sent < bytes.length; ) {
    try {
      sent += writeSync(fd, bytes, sent);
    } catch (error) {
      // A pipe that somebody made non-blocking is full: wait for its reader.
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2);
    }
  }
}

function outputLost(error: unknown): Fault {
  const why = error instanceof Error ? error.message : String(error);
  return new Fault(
    'output-lost',
    `The output could not be written to its end (${why}).`,
    'Look before you run it again: what it changes is changed.',
    { cause: error },
  );
}

const codes = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33, blue: 34, magenta: 35, cyan: 36 };
export type Style = keyof typeof codes;
let isTerminal: boolean | undefined;

/** Colour only on a terminal, and never under NO_COLOR. */
export function paint(style: Style, text: string): string {
  // A character device is a terminal, or /dev/null, which does not mind. `isTTY` would load the streams after all.
  isTerminal ??= fstatSync(1).isCharacterDevice() && !process.env['NO_COLOR'];
  if (!isTerminal) return text;
  return `\u001b[${codes[style]}m${text}\u001b[0m`;
}

/** Aligned columns, two spaces apart; styles are applied after the widths are known. */
export function formatTable(
  heads: readonly string[],
  rows: readonly (readonly string[])[],
): string {
  const widths = heads.map((head, i) =>
    rows.reduce((width, row) => Math.max(width, [...(row[i] ?? '')].length), head.length),
  );
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, i) => cell + ' '.repeat((widths[i] ?? 0) - [...cell].length))
      .join('  ')
      .trimEnd();
  return `${[paint('dim', line(heads)), ...rows.map(line)].join('\n')}\n`;
}

/** Lines of at most so many characters, broken between words: a terminal breaks within them. */
export function fold(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    const longer = `${last} ${word}`;
    if (last !== undefined && [...longer].length <= width) lines.splice(-1, 1, longer);
    else lines.push(word);
  }
  return lines;
}

/** A text that somebody else wrote, shown on a person's terminal: control characters become visible instead of acting. */
export function neutralise(text: string): string {
  return text.replace(controlCharacters, (character) => {
    const code = character.charCodeAt(0);
    if (code < 0x20) return String.fromCharCode(0x2400 + code);
    return code === 0x7f ? '\u2421' : `\\u{${code.toString(16)}}`;
  });
}

// All but tab and newline; C1 controls and the bidirectional overrides that reorder what a person reads.
const controlCharacters =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

/** The first line, shortened to fit a table. */
export function summarise(text: string, width: number): string {
  const line = neutralise(text.trimStart().split('\n', 1)[0] ?? '').replaceAll('\t', ' ');
  const characters = [...line];
  return characters.length > width ? `${characters.slice(0, width - 1).join('')}…` : line;
}

/** `12:00:01.003`, local time, with the date where it is another day than `than`: for people. Documents hold the full UTC time. */
export function formatTime(iso: string, than?: string): string {
  const at = new Date(iso);
  const pad = (value: number, width: number): string => String(value).padStart(width, '0');
  const time = `${pad(at.getHours(), 2)}:${pad(at.getMinutes(), 2)}:${pad(at.getSeconds(), 2)}.${pad(at.getMilliseconds(), 3)}`;
  const day = `${at.getFullYear()}-${pad(at.getMonth() + 1, 2)}-${pad(at.getDate(), 2)}`;
  return than !== undefined && new Date(than).toDateString() === at.toDateString()
    ? time
    : `${day} ${time}`;
}
