import { createHash, randomBytes } from 'node:crypto';
import { request } from 'node:http';
import type { Duplex } from 'node:stream';
import { OutsideFailure } from '../../shared/report-bug.ts';

/**
 * The client's side of one WebSocket connection over a unix socket: text messages only, as JSON-RPC
 * needs.
 */
export interface WebSocketLink {
  send(text: string): void;
  close(): void;
}

export interface WebSocketEvents {
  readonly text: (text: string) => void;
  /** Once, for whatever reason. */
  readonly closed: () => void;
}

/** An answer of 1 MB fits many times; whoever sends more is not talking to us. */
const maxMessageBytes = 64 * 1024 * 1024;

const opcodes = { continuation: 0, text: 1, close: 8, ping: 9, pong: 10 } as const;

export async function openWebSocket(
  socketPath: string,
  events: WebSocketEvents,
  signal: AbortSignal,
): Promise<WebSocketLink> {
  const key = randomBytes(16).toString('base64');
  const { socket, head } = await upgrade(socketPath, key, signal);
  const reader = new FrameReader();
  let parts: Buffer[] = [];
  let partBytes = 0;
  let isClosed = false;
  const close = (): void => {
    socket.destroy();
    if (isClosed) return;
    isClosed = true;
    events.closed();
  };
  const takeFrame = ({ opcode, isFinal, payload }: Frame): void => {
    if (opcode === opcodes.ping) socket.write(encodeFrame(opcodes.pong, payload));
    if (opcode === opcodes.close) close();
    if (opcode !== opcodes.text && opcode !== opcodes.continuation) return;
    parts.push(payload);
    partBytes += payload.length;
    if (partBytes > maxMessageBytes) close();
    if (!isFinal || isClosed) return;
    const text = Buffer.concat(parts).toString('utf8');
    parts = [];
    partBytes = 0;
    events.text(text);
  };
  const take = (chunk: Buffer): void => {
    const frames = reader.push(chunk);
    if (frames === 'too-long') close();
    else for (const frame of frames) if (!isClosed) takeFrame(frame);
  };
  socket.on('data', take);
  socket.on('error', close);
  socket.on('close', close);
  if (head.length > 0) queueMicrotask(() => take(head));
  return {
    send: (text) => {
      if (!isClosed) socket.write(encodeFrame(opcodes.text, Buffer.from(text)));
    },
    close,
  };
}

async function upgrade(
  socketPath: string,
  key: string,
  signal: AbortSignal,
): Promise<{ socket: Duplex; head: Buffer }> {
  return await new Promise((done, fail) => {
    const headers = {
      Connection: 'Upgrade',
      Upgrade: 'websocket',
      'Sec-WebSocket-Version': '13',
      'Sec-WebSocket-Key': key,
    };
    const opening = request({ socketPath, path: '/', headers, signal });
    opening.once('error', fail);
    opening.once('response', (response) => {
      opening.destroy();
      fail(new OutsideFailure(`no WebSocket there: HTTP ${response.statusCode}`));
    });
    opening.once('upgrade', (response, socket, head) => {
      const accepted = createHash('sha1').update(`${key}${handshakeId}`).digest('base64');
      if (response.headers['sec-websocket-accept'] === accepted) return done({ socket, head });
      socket.destroy();
      fail(new OutsideFailure('no WebSocket there: the handshake was not answered'));
    });
    opening.end();
  });
}

/** RFC 6455, section 1.3. */
const handshakeId = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';

interface Frame {
  readonly opcode: number;
  readonly isFinal: boolean;
  readonly payload: Buffer;
}

/** Cuts a stream into frames; chunks are joined only when a whole frame is there. */
class FrameReader {
  #chunks: Buffer[] = [];
  #bytes = 0;
  #needed = 2;

  push(chunk: Buffer): readonly Frame[] | 'too-long' {
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
    if (this.#bytes < this.#needed) return [];
    const frames: Frame[] = [];
    let rest = Buffer.concat(this.#chunks);
    for (;;) {
      const head = readHead(rest);
      if (head && head.length > maxMessageBytes) return 'too-long';
      this.#needed = head ? head.start + head.length : rest.length + 1;
      if (!head || rest.length < this.#needed) break;
      const payload = rest.subarray(head.start, this.#needed);
      frames.push({ opcode: head.opcode, isFinal: head.isFinal, payload });
      rest = rest.subarray(this.#needed);
    }
    this.#chunks = [rest];
    this.#bytes = rest.length;
    return frames;
  }
}

/** A server masks nothing. Undefined while the head itself is incomplete. */
function readHead(bytes: Buffer) {
  const [first, second] = bytes;
  if (first === undefined || second === undefined) return undefined;
  const short = second & 0x7f;
  const start = short === 126 ? 4 : short === 127 ? 10 : 2;
  if (bytes.length < start) return undefined;
  const length =
    short === 126
      ? bytes.readUInt16BE(2)
      : short === 127
        ? Number(bytes.readBigUInt64BE(2))
        : short;
  return { opcode: first & 0x0f, isFinal: (first & 0x80) !== 0, start, length };
}

/** A client masks everything. */
function encodeFrame(opcode: number, payload: Buffer): Buffer {
  const { length } = payload;
  const head = Buffer.alloc(length < 126 ? 2 : length < 0x10000 ? 4 : 10);
  head[0] = 0x80 | opcode;
  head[1] = 0x80 | (length < 126 ? length : length < 0x10000 ? 126 : 127);
  if (head.length === 4) head.writeUInt16BE(length, 2);
  if (head.length === 10) head.writeBigUInt64BE(BigInt(length), 2);
  const mask = randomBytes(4);
  const masked = Buffer.from(payload);
  for (let i = 0; i < length; i++) masked[i] = (masked[i] ?? 0) ^ (mask[i % 4] ?? 0);
  return Buffer.concat([head, mask, masked]);
}
