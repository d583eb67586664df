import { isUtf8 } from 'node:buffer';

/**
 * One message of the client. Of one that is too long only both ends are kept: they may tell which
 * request it was.
 */
export type Line =
  | { readonly kind: 'line'; readonly text: string }
  /** Its text is good enough to tell which request it was, and no more. */
  | { readonly kind: 'not-utf8'; readonly text: string }
  | { readonly kind: 'too-long'; readonly head: string; readonly tail: string };

/**
 * Of one line, in bytes: more than the daemon takes in any sensible setting, and little enough to
 * hold.
 */
const lineLimit = 32 * 1024 * 1024;
const endBytes = 512;
const lineFeed = 0x0a;

/** Cuts what a client writes into lines, and holds no more than the limit, whatever comes. */
export class LineReader {
  readonly #take: (line: Line) => void;
  readonly #limit: number;
  #chunks: Buffer[] = [];
  #size = 0;
  /** Of a line that is too long: what is kept of it. */
  #head: Buffer | undefined;
  #tail: Buffer = Buffer.alloc(0);

  constructor(take: (line: Line) => void, limit = lineLimit) {
    this.#take = take;
    this.#limit = limit;
  }

  take(chunk: Buffer): void {
    let from = 0;
    for (let end = chunk.indexOf(lineFeed); end >= 0; end = chunk.indexOf(lineFeed, from)) {
      this.#keep(chunk.subarray(from, end));
      this.#finish();
      from = end + 1;
    }
    if (from < chunk.length) this.#keep(chunk.subarray(from));
  }

  /** Nothing follows: what stands there without a line feed is a line. */
  end(): void {
    this.#finish();
  }

  #keep(piece: Buffer): void {
    if (this.#head) {
      this.#tail = Buffer.concat([this.#tail, piece.subarray(-endBytes)]).subarray(-endBytes);
      return;
    }
    this.#chunks.push(piece);
    this.#size += piece.length;
    if (this.#size <= this.#limit) return;
    const whole = Buffer.concat(this.#chunks);
    // Copies: a view would hold on to all of it.
    this.#head = Buffer.from(whole.subarray(0, endBytes));
    this.#tail = Buffer.from(whole.subarray(-endBytes));
    this.#chunks = [];
  }

  #finish(): void {
    const head = this.#head?.toString('utf8');
    const tail = this.#tail.toString('utf8');
    const whole = Buffer.concat(this.#chunks);
    const text = whole.toString('utf8').trim();
    this.#chunks = [];
    this.#size = 0;
    this.#head = undefined;
    if (head !== undefined) this.#take({ kind: 'too-long', head, tail });
    else if (text !== '') this.#take({ kind: isUtf8(whole) ? 'line' : 'not-utf8', text });
  }
}
