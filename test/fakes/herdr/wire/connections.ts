import { createServer, type Server, Socket } from 'node:net';
import type { Counters } from '../chaos/counters.ts';
import type { Fate, Faults } from '../chaos/faults.ts';
import type { Profile } from '../profile.ts';
import type { Json } from './json.ts';

/** The first line must be there within this time, and no longer than that (herdr 0.8.0). */
const firstLineMs = 5_000;
const firstLineBytes = 1024 * 1024;
/** herdr looks for bytes, and for the peer's end, this often. */
export const pollMs = 100;
/** A client that does not read is cut off after this time. */
const writeMs = 5_000;

/** What handles one request line. */
export type Handler = (line: string, peer: Peer) => void;

/** One connection, from the server's side. */
export interface Peer {
  /** What was asked, once that is known. */
  method: string | undefined;
  /** The one answer; the connection closes behind it. */
  answer(response: Json): void;
  /** From here on the peer must be silent: it is a subscription or a wait. */
  keepOpen(gone: () => void): void;
  send(line: Json): void;
  close(): void;
}

/** What all connections have in common. */
export interface Common {
  readonly profile: Profile;
  readonly faults: Faults;
  readonly counters: Counters;
  readonly connections: Set<{ close(): void }>;
}

/**
 * herdr's framing: one JSON object per line, one request per connection. The kernel answers with
 * ECONNRESET where a peer's bytes are left unread at the close, and clients must live with that; so
 * this reads byte by byte and never beyond the first line, as herdr does.
 */
export function listen(path: string, common: Common, handle: Handler): Promise<Server> {
  const server = createServer({ allowHalfOpen: true, pauseOnConnect: true }, (accepted) => {
    new Connection(accepted, common, handle).start();
  });
  return new Promise((done, fail) => {
    server.once('error', fail);
    server.listen(path, () => done(server));
  });
}

class Connection implements Peer {
  method: string | undefined;
  readonly #common: Common;
  readonly #profile: Profile;
  readonly #handle: Handler;
  readonly #socket: Socket;
  readonly #acceptedAt = performance.now();
  #line: number[] = [];
  #state: 'first-line' | 'working' | 'open' | 'closed' = 'first-line';
  #deadline: NodeJS.Timeout | undefined;
  #drain: NodeJS.Timeout | undefined;
  #gone = () => {};
  /** Decided with the first byte that is to be written. */
  #fate: Fate | undefined;
  #written = 0;
  /** What waits for the end of a delay. */
  #held: (() => void)[] | undefined;

  constructor(accepted: Socket, common: Common, handle: Handler) {
    this.#common = common;
    this.#profile = common.profile;
    this.#handle = handle;
    this.#socket = readByteWise(accepted, (byte) => this.#read(byte));
    this.#socket.on('error', () => undefined); // The peer may go at any time; `close` follows.
    this.#socket.on('end', () => this.#readEnd());
    this.#socket.on('close', () => this.#end());
  }

  start(): void {
    this.#common.counters.connected();
    this.#common.connections.add(this);
    this.#deadline = setTimeout(() => this.#refuse('no request in time'), firstLineMs);
    this.#socket.resume();
  }

  answer(response: Json): void {
    if (this.#state === 'closed') return;
    const isLast = this.#profile.has('one-request') || this.#state === 'open';
    this.#write(response, isLast);
    if (isLast) return;
    this.#state = 'first-line';
    this.#line = [];
    this.#socket.resume();
  }

  keepOpen(gone: () => void): void {
    this.#state = 'open';
    this.#gone = gone;
    this.#socket.resume();
  }

  send(line: Json): void {
    this.#write(line, false);
  }

  close(): void {
    this.#socket.destroy();
  }

  #write(line: Json, isLast: boolean): void {
    if (this.#state === 'closed') return;
    const isFirst = this.#fate === undefined;
    this.#fate ??= this.#common.faults.fateOf(this.method);
    const { isHung, delayMs, garbage } = this.#fate;
    if (isHung) {
      this.keepOpen(this.#gone);
      return;
    }
    if (isFirst && delayMs > 0) {
      this.#held = [];
      setTimeout(() => {
        const held = this.#held ?? [];
        this.#held = undefined;
        for (const write of held) write();
      }, delayMs);
    }
    const isGarbage = isFirst && garbage !== undefined;
    const text = `${isGarbage ? garbage : JSON.stringify(line)}\n`;
    const write = () => this.#put(text, isLast || isGarbage);
    if (this.#held) this.#held.push(write);
    else write();
  }

  #put(text: string, isLast: boolean): void {
    if (this.#state === 'closed') return;
    const bytes = Buffer.from(text);
    const room = (this.#fate?.cutAt ?? Number.POSITIVE_INFINITY) - this.#written;
    const isCut = bytes.length > room;
    this.#written += bytes.length;
    const isTaken = this.#socket.write(isCut ? bytes.subarray(0, Math.max(0, room)) : bytes, () => {
      if (isLast || isCut) this.close();
    });
    if (isTaken) return;
    this.#drain ??= setTimeout(() => this.close(), writeMs);
    this.#socket.once('drain', () => {
      clearTimeout(this.#drain);
      this.#drain = undefined;
    });
  }

  /** Whether to go on reading. */
  #read(byte: number): boolean {
    if (this.#state === 'open') {
      if (!this.#profile.has('fragile-streams')) return true;
      setTimeout(() => this.close(), pollMs / 2);
      return false;
    }
    if (byte !== newline) {
      this.#line.push(byte);
      if (this.#line.length > firstLineBytes) this.#refuse('request too long');
      return this.#state === 'first-line';
    }
    clearTimeout(this.#deadline);
    this.#state = 'working';
    setTimeout(() => this.#take(Buffer.from(this.#line)), this.#pollDelay());
    return false;
  }

  #take(bytes: Buffer): void {
    const text = bytes.toString();
    if (text.trim() === '') this.#refuse('empty request');
    else if (!Buffer.from(text).equals(bytes)) this.#refuse('request is not UTF-8');
    else if (this.#state !== 'closed') this.#handle(text, this);
  }

  /** Bytes that were not there when the server first looked are seen when it looks again. */
  #pollDelay(): number {
    if (!this.#profile.has('slow-first-line')) return 0;
    const waited = performance.now() - this.#acceptedAt;
    return waited < 1 ? 0 : pollMs - (waited % pollMs);
  }

  #readEnd(): void {
    if (this.#state === 'first-line') {
      if (this.#line.length > 0) this.#refuse('unfinished request');
      else this.close();
    } else if (this.#state === 'open') {
      if (this.#profile.has('fragile-streams')) this.close();
    }
  }

  #refuse(why: string): void {
    clearTimeout(this.#deadline);
    if (this.#state === 'closed') return;
    if (this.#profile.has('silent-drop')) {
      this.close();
      return;
    }
    this.#state = 'open'; // Whatever is answered here is the last answer.
    const error = { code: 'invalid_request', message: `invalid request: ${why}` };
    this.answer({ id: '', error });
  }

  #end(): void {
    if (this.#state === 'closed') return;
    this.#state = 'closed';
    this.#common.counters.disconnected();
    this.#common.connections.delete(this);
    clearTimeout(this.#deadline);
    clearTimeout(this.#drain);
    this.#gone();
  }
}

const newline = 0x0a;

/**
 * Node reads 64 KiB at a time, and only a socket that was made with `onread` can be told to take
 * less; so the accepted handle is given to such a socket. `callback` says whether to go on.
 */
function readByteWise(accepted: Socket, callback: (byte: number) => boolean): Socket {
  const inner = accepted as unknown as { _handle: unknown };
  const handle = inner._handle;
  inner._handle = null;
  const onread = {
    buffer: Buffer.alloc(1),
    callback: (count: number, buffer: Uint8Array) => count === 0 || callback(buffer[0] ?? 0),
  };
  const options = { handle, allowHalfOpen: true, onread };
  return new Socket(options as unknown as ConstructorParameters<typeof Socket>[0]);
}
