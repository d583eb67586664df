import { StringDecoder } from 'node:string_decoder';

/** What a person, or whoever writes into the terminal, pressed. */
export type Key =
  | { readonly key: 'text' | 'paste'; readonly text: string }
  | { readonly key: NamedKey };

type NamedKey =
  | 'enter'
  | 'newline'
  | 'escape'
  | 'backspace'
  | 'delete'
  | 'left'
  | 'right'
  | 'up'
  | 'down'
  | 'home'
  | 'end'
  | 'clear'
  | 'interrupt'
  | 'end-of-input'
  | 'redraw';

const pasteBegin = '\x1b[200~';
const pasteEnd = '\x1b[201~';
/** Characters behind an ESC that may belong to it. */
const longestSequence = 64;

/** The rest of Unicode's first page is no key of ours: dropped. */
const controls: Readonly<Record<string, NamedKey>> = {
  '\r': 'enter',
  '\n': 'newline',
  '\x7f': 'backspace',
  '\b': 'backspace',
  '\x01': 'home',
  '\x05': 'end',
  '\x15': 'clear',
  '\x03': 'interrupt',
  '\x04': 'end-of-input',
  '\x0c': 'redraw',
};

const sequences: Readonly<Record<string, NamedKey>> = {
  '[A': 'up',
  '[B': 'down',
  '[C': 'right',
  '[D': 'left',
  '[H': 'home',
  '[F': 'end',
  '[1~': 'home',
  '[4~': 'end',
  '[3~': 'delete',
  OA: 'up',
  OB: 'down',
  OC: 'right',
  OD: 'left',
  OH: 'home',
  OF: 'end',
  // Alt-Enter.
  '\r': 'newline',
};

/**
 * Bytes of a terminal into keys, wherever the reads cut them. A lone ESC may be the Escape key or
 * the start of more: it is kept back (`isWaiting`), and `flush` decides once nothing followed for a
 * while.
 */
export class KeyDecoder {
  readonly #utf8 = new StringDecoder('utf8');
  #rest = '';
  /** The pieces of a paste whose end has not come yet. */
  #paste: string[] | undefined;

  get isWaiting(): boolean {
    return this.#paste === undefined && this.#rest !== '';
  }

  feed(bytes: Buffer): readonly Key[] {
    this.#rest += this.#utf8.write(bytes);
    const keys: Key[] = [];
    for (;;) {
      const before = this.#rest.length;
      const key = this.#paste ? this.#takePaste(this.#paste) : this.#takeKey();
      if (key) keys.push(key);
      if (this.#rest.length === before || this.#rest === '') return keys;
    }
  }

  /** Nothing followed: what was kept back is the Escape key, and then whatever else it is. */
  flush(): readonly Key[] {
    if (!this.isWaiting) return [];
    const rest = this.#rest.slice(1);
    this.#rest = '';
    return [{ key: 'escape' }, ...this.feed(Buffer.from(rest))];
  }

  #takePaste(pieces: string[]): Key | undefined {
    const end = this.#rest.indexOf(pasteEnd);
    // Without an end, all but what may be its beginning is moved aside, so that a large paste is
    // searched once only.
    const upTo = end >= 0 ? end : Math.max(0, this.#rest.length - pasteEnd.length + 1);
    pieces.push(this.#rest.slice(0, upTo));
    this.#rest = this.#rest.slice(end >= 0 ? end + pasteEnd.length : upTo);
    if (end < 0) return undefined;
    this.#paste = undefined;
    return { key: 'paste', text: clean(pieces.join('').replaceAll(/\r\n?/g, '\n')) };
  }

  #takeKey(): Key | undefined {
    const text = /^\P{Cc}+/u.exec(this.#rest)?.[0];
    if (text) {
      this.#rest = this.#rest.slice(text.length);
      return { key: 'text', text: clean(text) };
    }
    if (this.#rest.startsWith('\x1b')) return this.#takeSequence();
    const key = controls[this.#rest.charAt(0)];
    this.#rest = this.#rest.slice(1);
    return key && { key };
  }

  #takeSequence(): Key | undefined {
    if (this.#rest.startsWith(pasteBegin)) {
      this.#rest = this.#rest.slice(pasteBegin.length);
      this.#paste = [];
      return undefined;
    }
    // CSI with parameters, SS3, or Alt with one character. Answers to queries (ESC [ ? … c) are
    // among the first.
    const after = this.#rest.slice(1, 1 + longestSequence);
    const [whole] = /^(?:\[[ -?]*[@-~]|O[@-~]|(?![[O])\P{Cc}|\r)/u.exec(after) ?? [];
    if (whole === undefined) {
      if (after === '' || after.startsWith('[') || after.startsWith('O')) return undefined;
      this.#rest = this.#rest.slice(1);
      return { key: 'escape' };
    }
    this.#rest = this.#rest.slice(1 + whole.length);
    const key = sequences[whole];
    return key && { key };
  }
}

/** What may be shown: no control characters but new lines, and blanks for tabs. */
export function clean(text: string): string {
  return text.replaceAll('\t', '    ').replaceAll(/[^\P{Cc}\n]/gu, '');
}
