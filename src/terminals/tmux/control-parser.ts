/**
 * Reads the stream of a tmux control client. Everything is bytes: output of programs is any bytes,
 * and a chunk ends anywhere. Two kinds of things come, in one total order: blocks (`%begin T N F` …
 * `%end T N F`, the answers to commands) and single lines (`%output %pane text`, `%window-add @1`
 * …).
 *
 * A captured screen may hold any text, also `%end` and `%output`: a block ends only with the very
 * words that began it. Up to 3.7 a notification may stand inside a block (tmux#5458), so a known
 * one is taken out, except where the command itself may print such a line: then `isRaw` answers
 * true and all of the block is the command's.
 */
export class ControlParser {
  readonly #events: ParserEvents;
  #pieces: Buffer[] = [];
  #block: { readonly tag: string; readonly lines: Buffer[] } | undefined;

  constructor(events: ParserEvents) {
    this.#events = events;
  }

  push(chunk: Buffer): void {
    let start = 0;
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
      this.#line(this.#complete(chunk.subarray(start, end)));
      start = end + 1;
    }
    if (start < chunk.length) this.#pieces.push(chunk.subarray(start));
  }

  /** Joined only once its end is there: a line that comes in a thousand chunks is copied once. */
  #complete(last: Buffer): Buffer {
    if (this.#pieces.length === 0) return last;
    const line = Buffer.concat([...this.#pieces, last]);
    this.#pieces = [];
    return line;
  }

  #line(line: Buffer): void {
    const isSpecial = line[0] === percent;
    if (!this.#block) {
      if (isSpecial) this.#single(line);
      return;
    }
    if (isSpecial) {
      const end = this.#endOf(line, this.#block.tag);
      if (end) {
        const { tag, lines } = this.#block;
        this.#block = undefined;
        this.#events.block({ isError: end === 'error', isOurs: tag.endsWith(' 1'), lines });
        return;
      }
      if (notificationNames.has(nameOf(line)) && !this.#events.isRaw()) {
        this.#single(line);
        return;
      }
    }
    this.#block.lines.push(line);
  }

  #endOf(line: Buffer, tag: string): 'end' | 'error' | undefined {
    // Shorter than any screen line that would be dear to decode.
    if (line.length > 80) return undefined;
    const text = line.toString('latin1');
    if (text === `%end ${tag}`) return 'end';
    return text === `%error ${tag}` ? 'error' : undefined;
  }

  #single(line: Buffer): void {
    const name = nameOf(line);
    if (name === '%output') {
      const space = line.indexOf(0x20, 8);
      if (space === -1) return;
      this.#events.output(
        line.toString('latin1', 8, space),
        decodeOutput(line.subarray(space + 1)),
      );
    } else if (name === '%begin') {
      this.#block = { tag: line.toString('latin1', 7), lines: [] };
    } else {
      this.#events.notification(name, line.toString('utf8', name.length + 1));
    }
  }
}

export interface ParserEvents {
  /** Whether the command that is being answered may print lines that look like notifications. */
  readonly isRaw: () => boolean;
  readonly block: (block: Block) => void;
  readonly output: (pane: string, bytes: Buffer) => void;
  readonly notification: (name: string, rest: string) => void;
}

export interface Block {
  readonly isError: boolean;
  /** False for what tmux runs on its own account in our client, such as the attaching itself. */
  readonly isOurs: boolean;
  readonly lines: readonly Buffer[];
}

/** Of tmux 3.3a to 3.8; `%begin` is not among them: blocks do not nest. */
const notificationNames = new Set([
  '%client-detached',
  '%client-session-changed',
  '%config-error',
  '%continue',
  '%exit',
  '%extended-output',
  '%layout-change',
  '%message',
  '%output',
  '%pane-mode-changed',
  '%paste-buffer-changed',
  '%paste-buffer-deleted',
  '%pause',
  '%session-changed',
  '%session-renamed',
  '%session-window-changed',
  '%sessions-changed',
  '%subscription-changed',
  '%unlinked-window-add',
  '%unlinked-window-close',
  '%unlinked-window-renamed',
  '%window-add',
  '%window-close',
  '%window-pane-changed',
  '%window-renamed',
]);

const newline = 0x0a;
const percent = 0x25;
const backslash = 0x5c;
/** Longer than the longest known name. */
const nameBound = 32;

function nameOf(line: Buffer): string {
  const space = line.subarray(0, nameBound).indexOf(0x20);
  return line.toString('latin1', 0, space === -1 ? Math.min(line.length, nameBound) : space);
}

/**
 * tmux writes a backslash and every byte below 0x20 as `\ooo`; all others, also broken UTF-8, as
 * they are.
 */
export function decodeOutput(text: Buffer): Buffer {
  let at = text.indexOf(backslash);
  if (at === -1) return text;
  const bytes = Buffer.allocUnsafe(text.length);
  let length = text.copy(bytes, 0, 0, at);
  while (at < text.length) {
    const byte = text[at] ?? 0;
    if (byte !== backslash || at + 3 >= text.length) {
      bytes[length++] = byte;
      at++;
      continue;
    }
    bytes[length++] = (digit(text, at + 1) << 6) | (digit(text, at + 2) << 3) | digit(text, at + 3);
    at += 4;
  }
  return bytes.subarray(0, length);
}

function digit(text: Buffer, at: number): number {
  return ((text[at] ?? 0x30) - 0x30) & 7;
}
