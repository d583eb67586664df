import { StringDecoder } from 'node:string_decoder';
import { stripSequences } from '../shared/strip-sequences.ts';

/**
 * A terminal's output as plain text, piece by piece. What may be half of a character or of a
 * sequence waits for the next piece: the second half must not be shown as words.
 */
export class PlainReader {
  readonly #decoder = new StringDecoder('utf8');
  #rest = '';

  read(bytes: Buffer): string {
    const text = this.#rest + this.#decoder.write(bytes);
    const open = text.search(openEnd);
    const cut = open < 0 || text.length - open > mostOpen ? text.length : open;
    this.#rest = text.slice(cut);
    return stripSequences(text.slice(0, cut));
  }

  /** What still waited, where nothing follows. */
  end(): string {
    const rest = this.#rest + this.#decoder.end();
    this.#rest = '';
    return stripSequences(rest);
  }
}

/** The beginning of a sequence at the end of a text, or of a line's end. */
const openEnd =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
  /\u001b(?:[\]PX^_][^\u0007\u001b]*\u001b?|\[[0-?]*[ -/]*|[ -/]*)$|\r$/;
/**
 * A title or what goes to the clipboard may be long; what is longer still is shown, made visible.
 */
const mostOpen = 64 * 1024;
