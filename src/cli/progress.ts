import { isatty } from 'node:tty';
import { shorten } from '../shared/cell-width.ts';
import { writeInPlace } from './output.ts';
import { isModelReading } from './reader.ts';

/**
 * How far something is, in one line that is painted over: on a person's terminal alone, and gone
 * before anything else is printed there. A pipe or a file gets nothing of it.
 */
export class Progress {
  readonly #isShown: boolean;
  #line = '';

  constructor(isScripted: boolean) {
    const isPerson = isatty(2) && !isModelReading() && process.env['TERM'] !== 'dumb';
    this.#isShown = isPerson && !isScripted;
  }

  show(line: string): void {
    if (!this.#isShown || line === this.#line) return;
    this.#line = line;
    // A row as wide as the terminal would wrap, and then it could not be painted over.
    writeInPlace(shorten(line, Math.max(10, (process.stderr.columns || 80) - 1)));
  }

  /** Before other lines, and at the end. */
  clear(): void {
    if (this.#line === '') return;
    this.#line = '';
    writeInPlace('');
  }
}
