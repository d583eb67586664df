import { fstatSync, fsyncSync, writeSync } from 'node:fs';
import { neutraliseJson, neutraliseLine } from '../messages/neutralise.ts';
import { cellWidth } from '../shared/cell-width.ts';
import { Fault } from '../shared/fault.ts';
import { escapeHidden, reveal, revealLine } from '../shared/reveal.ts';
import { columnsOf, hang } from './fold.ts';
import { isModelReading, neutraliseForModel } from './reader.ts';
import { paint, putCodesIn, steer } from './screen-codes.ts';

/**
 * The one gate to a person's terminal and to a model that runs a command (rule 47). Whatever a
 * command prints passes here, and nothing in it acts on the terminal or hides on it but the codes
 * of our own screens: `paint` and `steer` mark those so that no other text can. Returns when the
 * last byte has left the process: that is what "flushed" means in rule 17. A reader that went away,
 * or a full disk behind a redirection, is a `Fault`. Not `process.stdout`: loading its streams
 * takes longer than most commands.
 */
export function writeOut(text: string): void {
  writeTo(1, putCodesIn(isModelReading() ? neutraliseForModel(text) : reveal(text)));
}

/** The same gate, for a question on the terminal itself, whatever stdout is. */
export function writeTerminal(terminal: number, text: string): void {
  writeTo(terminal, putCodesIn(reveal(text)));
}

/**
 * Past the gate: what an agent's terminal printed, for a file or a pipe, or for whoever has asked
 * for it with `--raw`.
 */
export function writeRaw(bytes: Buffer): void {
  writeTo(1, bytes);
}

/**
 * A person's terminal gets raw bytes only when asked for, since they may do anything there; so does
 * a model, whose stdout is a pipe. A file or a pipe of anybody else gets them as they were.
 */
export function mayBeRaw({ raw }: { readonly raw?: true }): boolean {
  return raw === true || !(isModelReading() || fstatSync(1).isCharacterDevice());
}

/** `writeJson<SendResult>(…)` names the document of docs/json.md that is printed. */
export function writeJson<Shape extends object>(document: Shape): void {
  writeDocument(JSON.stringify(document));
}

let isDocumentWritten = false;

/** The one document of `--json`. Whoever fails after it says so on stderr alone. */
export function writeDocument(json: string): void {
  isDocumentWritten = true;
  writeTo(1, `${isModelReading() ? neutraliseJson(json) : escapeHidden(json)}\n`);
}

function writeTo(fd: number, text: string | Buffer): void {
  try {
    writeAll(fd, text);
  } catch (error) {
    throw outputLost(error);
  }
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

/**
 * The same gate for stderr. Each of these is one line, whatever stands in it; a terminal gets it
 * broken between words, with what goes on set in.
 */
export function writeError(...lines: readonly string[]): void {
  try {
    const pass = isModelReading() ? neutraliseLine : revealLine;
    const columns = columnsOf(2);
    writeAll(2, lines.map((line) => `${hang(putCodesIn(pass(line)), columns, 2)}\n`).join(''));
  } catch {
    // Nobody reads stderr; the exit code still tells.
  }
}

/**
 * One line on the terminal that stderr is, in the place of the one before it; empty takes it away.
 */
export function writeInPlace(line: string): void {
  try {
    writeAll(2, putCodesIn(`${steer('[G')}${steer('[K')}${revealLine(line)}`));
  } catch {
    // Nobody reads stderr; it was only about how far things are.
  }
}

/** Codes that `ring-codes.ts` made, with others' words in them made visible. */
export function writeCodes(fd: 1 | 2, codes: string): void {
  try {
    if (codes !== '') writeAll(fd, codes);
  } catch {
    // The terminal is gone; whoever writes to it next finds out.
  }
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
    'Check first before you run it again: it has already made its changes.',
    { cause: error },
  );
}

/**
 * Aligned columns, two spaces apart; styles are applied after the widths are known. No cell has
 * more than its line.
 */
export function formatTable(
  heads: readonly string[],
  given: readonly (readonly string[])[],
): string {
  const rows = given.map((cells) => cells.map(inLine));
  const widths = heads.map((head, i) =>
    rows.reduce((width, row) => Math.max(width, cellWidth(row[i] ?? '')), head.length),
  );
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, i) => cell + ' '.repeat((widths[i] ?? 0) - cellWidth(cell)))
      .join('  ')
      .trimEnd();
  return `${[paint('dim', line(heads)), ...rows.map(line)].join('\n')}\n`;
}

/** A fact that somebody else wrote, within a line of ours: it cannot begin another one. */
export function inLine(text: string): string {
  return revealLine(text);
}

/** The first line, shortened to fit a table. */
export function summarise(text: string, width: number): string {
  const line = inLine(text.trimStart().split('\n', 1)[0] ?? '');
  const characters = [...line];
  return characters.length > width ? `${characters.slice(0, width - 1).join('')}…` : line;
}

/**
 * `12:00:01.003`, local time, with the date where it is another day than `than`: for people.
 * Documents hold the full UTC time.
 */
export function formatTime(iso: string, than?: string): string {
  const at = new Date(iso);
  const pad = (value: number, width: number): string => String(value).padStart(width, '0');
  const time = `${pad(at.getHours(), 2)}:${pad(at.getMinutes(), 2)}:${pad(at.getSeconds(), 2)}.${pad(at.getMilliseconds(), 3)}`;
  const day = `${at.getFullYear()}-${pad(at.getMonth() + 1, 2)}-${pad(at.getDate(), 2)}`;
  return than !== undefined && new Date(than).toDateString() === at.toDateString()
    ? time
    : `${day} ${time}`;
}
