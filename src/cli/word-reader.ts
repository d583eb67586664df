import { ModelLines } from './model-lines.ts';
import { PlainReader } from './plain-reader.ts';
import { isModelReading, openFrame } from './reader.ts';

/**
 * A terminal's output as whoever runs the command reads it, piece by piece: plain text, and for a
 * model framed and neutralised.
 */
export class WordReader {
  readonly #plain = new PlainReader();
  readonly #lines = isModelReading() ? new ModelLines() : undefined;
  readonly #end: string;
  #begin: string;

  constructor(what: string) {
    const { begin, end } = openFrame(what);
    [this.#begin, this.#end] = [begin, end];
  }

  read(bytes: Buffer): string {
    const plain = this.#plain.read(bytes);
    return this.#takeBegin() + (this.#lines?.read(plain) ?? plain);
  }

  end(): string {
    const plain = this.#plain.end();
    if (!this.#lines) return plain;
    return this.#takeBegin() + this.#lines.read(plain) + this.#lines.end() + this.#end;
  }

  #takeBegin(): string {
    const begin = this.#begin;
    this.#begin = '';
    return begin;
  }
}
