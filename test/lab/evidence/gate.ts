import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * Stands before the mock and holds requests of turns as long as a test needs: the model has got
 * them and has said nothing yet. So a window between request and answer is open exactly as long as
 * it is wanted, not as long as a timer is.
 */
export interface Gate {
  readonly url: string;
  /** From now on, requests of turns whose body holds this text. */
  hold(text: string): void;
  /** From now on, requests of turns whose body holds this text get this status; undefined: none. */
  refuse(text: string | undefined, status?: number): void;
  /** Lets go what is held, and holds nothing more. */
  release(): void;
  /** What is held never arrives, and nothing more is held. */
  drop(): void;
  /** The first request of a turn with this text has arrived. */
  arrived(text: string, deadlineMs?: number): Promise<void>;
  /** How many requests of turns have brought this text, answered or not. */
  count(text: string): number;
  /** One has. */
  has(text: string): boolean;
  close(): Promise<void>;
}

export async function openGate(targetPort: number): Promise<Gate> {
  const seen: string[] = [];
  const watchers = new Set<() => void>();
  let held: string | undefined;
  let refused: { readonly text: string; readonly status: number } | undefined;
  let go: (passes: boolean) => void = () => undefined;
  let opened: Promise<boolean> = Promise.resolve(true);
  const server = createServer((incoming, response) => {
    void pass(incoming, response).catch(() => response.destroy());
  });

  async function pass(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    const text = body.toString();
    const isTurn = /"tools":\[\{/.test(text);
    if (isTurn) {
      seen.push(text);
      for (const look of watchers) look();
      if (held !== undefined && text.includes(held) && !(await opened))
        return void response.destroy();
      if (refused && text.includes(refused.text)) return refuse(response, refused.status);
      // Whoever went away meanwhile got no answer, and never will.
      if (incoming.socket.destroyed) return;
    }
    const { method, url: path, headers } = incoming;
    const onward = request({ port: targetPort, host: '127.0.0.1', method, path, headers });
    onward.once('error', () => response.destroy());
    // A client that has gone away is gone for the mock, too.
    response.once('close', () => onward.destroy());
    onward.once('response', (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      // Headers of an answer that brings nothing more are an answer, too; and where it breaks off,
      // this one does.
      response.flushHeaders();
      answer.once('close', () => {
        if (!answer.complete) response.destroy();
      });
      answer.pipe(response);
    });
    onward.end(body);
  }

  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    hold: (text) => {
      held = text;
      opened = new Promise((done) => {
        go = done;
      });
    },
    refuse: (text, status = 500) => {
      refused = text === undefined ? undefined : { text, status };
    },
    release: () => {
      held = undefined;
      go(true);
    },
    drop: () => {
      held = undefined;
      go(false);
    },
    arrived: async (text, deadlineMs = 30_000) =>
      await new Promise((done, fail) => {
        const end = (act: () => void): void => {
          clearTimeout(timer);
          watchers.delete(look);
          act();
        };
        const look = (): void => {
          if (seen.some((body) => body.includes(text))) end(done);
        };
        const late = (): void => fail(new Error(`No request with ${text} in ${deadlineMs} ms.`));
        const timer = setTimeout(() => end(late), deadlineMs);
        watchers.add(look);
        look();
      }),
    count: (text) => seen.filter((body) => body.includes(text)).length,
    has: (text) => seen.some((body) => body.includes(text)),
    close: async () => {
      go(true);
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

function refuse(response: ServerResponse, status: number): void {
  const error = { type: 'lab', message: `refused with ${status}` };
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ type: 'error', error }));
}
