import { createHash } from 'node:crypto';
import { rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { Duplex } from 'node:stream';

type Params = Readonly<Record<string, unknown>>;

export interface FakeAppServer {
  readonly threads: Map<string, Record<string, unknown>>;
  readonly clients: number;
  /** Everything that clients have asked, in order. */
  readonly asked: readonly string[];
  /** The same with their parameters. */
  readonly requests: readonly { readonly method: string; readonly params: Params }[];
  /** By thread: what waits there. */
  readonly queues: Map<string, Record<string, unknown>[]>;
  /**
   * By method, or method and thread: answered with this error instead; or the connection ends as
   * soon as it was read.
   */
  readonly refusals: Map<string, { readonly code: number; readonly message: string } | 'hang-up'>;
  /** Of the terminal's person, by the request's id: each client that follows a thread has them. */
  readonly questions: Map<number, { readonly method: string; readonly params: Params }>;
  /** What clients have answered to them, in order, those that came too late included. */
  readonly answers: readonly { readonly id: unknown; readonly result: unknown }[];
  ask(id: number, method: string, params: Params): void;
  /** It is over, and its item ends so: somebody has answered it. */
  settle(id: number, item: object): void;
  /** What an answer makes of its item; undefined: nothing is told of it. */
  endItem: (params: Params, result: Params) => object | undefined;
  /** It is read, and every connection ends before a word is said. */
  hangsUpOnAnswer: boolean;
  /** Every connection ends; the server lives on. */
  cut(): void;
  /** Says nothing more to anybody, as if stopped. */
  freeze(): void;
  /** To every client; a string goes out as it is. */
  notify(message: object | string): void;
  /** Sends bytes that are no frame of ours. */
  sendRaw(bytes: Buffer): void;
  close(): Promise<void>;
}

/**
 * Speaks as a Codex 0.166.0 app-server does over its unix socket, as far as a second client needs
 * it. Frames are cut into odd pieces on their way, as a busy kernel may.
 */
export async function openFakeAppServer(path: string): Promise<FakeAppServer> {
  const threads = new Map<string, Record<string, unknown>>();
  const asked: string[] = [];
  const sockets = new Set<Duplex>();
  let isFrozen = false;
  const requests: { method: string; params: Params }[] = [];
  const queues: FakeAppServer['queues'] = new Map();
  const refusals: FakeAppServer['refusals'] = new Map();
  const questions: FakeAppServer['questions'] = new Map();
  const answers: { id: unknown; result: unknown }[] = [];
  const tell = (message: object): void => {
    for (const socket of sockets) send(socket, JSON.stringify(message));
  };
  const settle = (id: number, item: object | undefined): void => {
    const { threadId, turnId } = questions.get(id)?.params ?? {};
    questions.delete(id);
    tell({ method: 'serverRequest/resolved', params: { threadId, requestId: id } });
    if (item) tell({ method: 'item/completed', params: { threadId, turnId, item } });
  };
  const take = (id: number, result: Params): void => {
    answers.push({ id, result });
    if (fake.hangsUpOnAnswer) fake.cut();
    const asked = fake.hangsUpOnAnswer ? undefined : questions.get(id);
    if (asked && !isFrozen) settle(id, fake.endItem(asked.params, result));
  };
  const answer = (method: string, params: Params): object => {
    if (method === 'thread/loaded/list') return { data: [...threads.keys()], nextCursor: null };
    const thread = threads.get(String(params['threadId']));
    if (method === 'thread/read') return { thread };
    if (method === 'thread/turns/list') return { data: thread?.['turns'] ?? [] };
    const queue = queues.get(String(params['threadId'])) ?? [];
    if (method === 'thread/queue/list') return { data: queue, nextCursor: null };
    if (method === 'thread/queue/add') {
      const { clientUserMessageId, input } = params;
      const queuedSubmission = { id: `s${queue.length + 1}`, clientUserMessageId, input };
      queues.set(String(params['threadId']), [...queue, queuedSubmission]);
      return { queuedSubmission };
    }
    if (method === 'thread/queue/delete') {
      const left = queue.filter(({ id }) => id !== params['queuedSubmissionId']);
      queues.set(String(params['threadId']), left);
      return { deleted: left.length < queue.length };
    }
    return {};
  };
  const server = createServer();
  server.on('upgrade', (request, socket) => {
    const key = `${request.headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`;
    const accept = createHash('sha1').update(key).digest('base64');
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
    );
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
    // An upgraded socket of Node's server stays half open otherwise.
    socket.on('end', () => socket.destroy());
    let bytes = Buffer.alloc(0);
    socket.on('data', (chunk: Buffer) => {
      bytes = Buffer.concat([bytes, chunk]);
      for (let frame = unmask(bytes); frame; frame = unmask(bytes)) {
        bytes = bytes.subarray(frame.end);
        const { id, method, params, result } = JSON.parse(frame.text) as {
          id?: number;
          method: string;
          params: Record<string, unknown>;
          result?: Params;
        };
        if (result && id !== undefined) {
          take(id, result);
          continue;
        }
        asked.push(method);
        requests.push({ method, params });
        const refusal = refusals.get(`${method} ${params?.['threadId']}`) ?? refusals.get(method);
        if (refusal === 'hang-up') socket.destroy();
        if (id === undefined || isFrozen || refusal === 'hang-up') continue;
        if (refusal) send(socket, JSON.stringify({ id, error: refusal }));
        else send(socket, JSON.stringify({ id, result: answer(method, params) }));
        // Every client is told the goal of a thread that somebody resumes.
        if (method !== 'thread/resume' || refusal) continue;
        const { threadId } = params;
        const told = { method: 'thread/goal/cleared', params: { threadId } };
        for (const one of sockets) send(one, JSON.stringify(told));
        for (const [number, { method: wanted, params: what }] of questions) {
          if (what['threadId'] !== threadId) continue;
          send(socket, JSON.stringify({ id: number, method: wanted, params: what }));
        }
      }
    });
  });
  await new Promise<void>((done) => server.listen(path, done));
  const fake: FakeAppServer = {
    questions,
    answers,
    hangsUpOnAnswer: false,
    ask: (id, method, params) => {
      questions.set(id, { method, params });
      tell({ id, method, params });
    },
    settle,
    endItem: ({ itemId }, { decision }) => ({
      id: itemId,
      status: decision === 'accept' ? 'completed' : 'declined',
    }),
    threads,
    asked,
    requests,
    queues,
    refusals,
    get clients() {
      return sockets.size;
    },
    cut: () => {
      for (const socket of sockets) socket.destroy();
    },
    freeze: () => {
      isFrozen = true;
    },
    notify: (message) => {
      const text = typeof message === 'string' ? message : JSON.stringify(message);
      for (const socket of sockets) send(socket, text);
    },
    sendRaw: (raw) => {
      for (const socket of sockets) socket.write(raw);
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((done) => server.close(done));
      rmSync(path, { force: true });
    },
  };
  return fake;
}

/** In two frames, and in pieces of seven bytes. */
function send(socket: Duplex, text: string): void {
  const bytes = Buffer.from(text);
  const half = Math.floor(bytes.length / 2);
  const whole = Buffer.concat([
    frame(0x01, bytes.subarray(0, half)),
    frame(0x89, Buffer.from('ping')),
    frame(0x80, bytes.subarray(half)),
  ]);
  const step = whole.length > 10_000 ? 65_521 : 7;
  for (let at = 0; at < whole.length; at += step) socket.write(whole.subarray(at, at + step));
}

function frame(first: number, payload: Buffer): Buffer {
  const { length } = payload;
  const head = Buffer.alloc(length < 126 ? 2 : length < 65_536 ? 4 : 10);
  head[0] = first;
  head[1] = length < 126 ? length : length < 65_536 ? 126 : 127;
  if (head.length === 4) head.writeUInt16BE(length, 2);
  if (head.length === 10) head.writeBigUInt64BE(BigInt(length), 2);
  return Buffer.concat([head, payload]);
}

/** One masked frame from the start; pongs come out as an empty notification. */
function unmask(bytes: Buffer): { text: string; end: number } | undefined {
  if (bytes.length < 6) return undefined;
  const short = (bytes[1] ?? 0) & 0x7f;
  const start = short === 126 ? 4 : short === 127 ? 10 : 2;
  if (bytes.length < start + 4) return undefined;
  const length =
    start === 2 ? short : start === 4 ? bytes.readUInt16BE(2) : Number(bytes.readBigUInt64BE(2));
  const end = start + 4 + length;
  if (bytes.length < end) return undefined;
  const mask = bytes.subarray(start, start + 4);
  const text = Buffer.from(bytes.subarray(start + 4, end)).map(
    (byte, at) => byte ^ (mask[at % 4] ?? 0),
  );
  const isText = ((bytes[0] ?? 0) & 0x0f) === 1;
  return { text: isText ? Buffer.from(text).toString() : '{"method":"pong"}', end };
}
