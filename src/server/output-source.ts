import type { Follow } from '../fleet/fleet.ts';
import type { OutputPiece } from '../protocol/terminals.ts';
import type { OutputChunk } from '../terminals/backend.ts';
import type { StreamSource } from './event-stream.ts';

/** Raw output that waits for one slow client, in bytes. */
const limit = 1024 * 1024;
/** Sent in one piece. */
const pieceLimit = 64 * 1024;

/**
 * Raw output of one agent for one client: bounded, and what is lost is told where it is missing.
 */
export class OutputSource implements StreamSource<OutputPiece> {
  onEnd: () => void = () => undefined;
  readonly #unfollow: () => void;
  #chunks: OutputChunk[] = [];
  #bytes = 0;
  #isEnded = false;
  #wake: (() => void) | undefined;

  constructor(follow: Follow) {
    this.#unfollow = follow((chunk) => this.#take(chunk));
  }

  async next(): Promise<OutputPiece | undefined> {
    while (this.#chunks.length === 0) {
      if (this.#isEnded) return undefined;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    const [first] = this.#chunks;
    if (first?.kind === 'gap') {
      this.#chunks.shift();
      return { lost: first.lost };
    }
    return { bytes: this.#join().toString('base64') };
  }

  /** The agent ended: what waits is still sent. */
  end(): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#unfollow();
    this.onEnd();
    this.#wake?.();
  }

  close(): void {
    this.#chunks = [];
    this.end();
  }

  #take(chunk: OutputChunk): void {
    if (this.#isEnded) return;
    const last = this.#chunks.at(-1);
    if (chunk.kind === 'bytes' && this.#bytes + chunk.bytes.length <= limit) {
      this.#chunks.push(chunk);
      this.#bytes += chunk.bytes.length;
    } else {
      const lost = chunk.kind === 'gap' ? chunk.lost : chunk.bytes.length;
      if (last?.kind !== 'gap') this.#chunks.push({ kind: 'gap', lost });
      else this.#chunks[this.#chunks.length - 1] = { kind: 'gap', lost: last.lost + lost };
    }
    this.#wake?.();
  }

  /** Small chunks travel together: a program that prints line by line is not one event a line. */
  #join(): Buffer {
    const parts: Buffer[] = [];
    let size = 0;
    for (let next = this.#chunks[0]; next?.kind === 'bytes'; next = this.#chunks[0]) {
      if (size > 0 && size + next.bytes.length > pieceLimit) break;
      parts.push(next.bytes);
      size += next.bytes.length;
      this.#chunks.shift();
    }
    this.#bytes -= size;
    return Buffer.concat(parts);
  }
}
