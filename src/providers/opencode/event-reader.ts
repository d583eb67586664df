import { StringDecoder } from 'node:string_decoder';
import { type Json, parseObject } from '../../shared/json.ts';

/**
 * An event of the server; `lost` stands for one that could not be read: what it said must be asked
 * for.
 */
export type ServerEvent = Json | 'lost';

/**
 * Far more than any event about a status. Those about a message hold its text and may be longer.
 */
const maxEventChars = 1024 * 1024;

/**
 * Reads server-sent events as OpenCode writes them: one `data:` line each. What is said about parts
 * of messages is most of the stream (each word of an answer is an event, 1.18.33) and tells nothing
 * about a status: it is not even parsed, however long it is.
 */
export class EventReader {
  readonly #decoder = new StringDecoder('utf8');
  readonly #isWanted: ((head: string) => boolean) | undefined;
  #line = '';
  #isTooLong = false;

  /**
   * `isWanted`: what is said about a part is told all the same when this holds for its beginning.
   */
  constructor(isWanted?: (head: string) => boolean) {
    this.#isWanted = isWanted;
  }

  *take(chunk: Buffer): Generator<ServerEvent> {
    let text = this.#decoder.write(chunk);
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n')) {
      this.#grow(text.slice(0, end));
      text = text.slice(end + 1);
      const event = this.#end();
      if (event !== undefined) yield event;
    }
    this.#grow(text);
  }

  #grow(piece: string): void {
    if (this.#isTooLong) return;
    this.#line += piece;
    if (this.#line.length <= maxEventChars) return;
    this.#isTooLong = true;
    // Its head tells what it was about.
    this.#line = this.#line.slice(0, headChars);
  }

  #end(): ServerEvent | undefined {
    const line = this.#line;
    const isTooLong = this.#isTooLong;
    this.#line = '';
    this.#isTooLong = false;
    if (!line.startsWith('data:') || this.#isBulk(line)) return undefined;
    return isTooLong ? 'lost' : (parseObject(line.slice('data:'.length)) ?? 'lost');
  }

  #isBulk(line: string): boolean {
    if (!bulk.test(line.slice(0, headChars))) return false;
    return !this.#isWanted?.(line.slice(0, partChars));
  }
}

const headChars = 200;
/** The ids of event, session, message and part, and the part's type. */
const partChars = 600;
const bulk = /^data: ?\{"id":"[^"]*","type":"message\.part\./;
