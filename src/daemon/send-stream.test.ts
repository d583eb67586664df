import { once } from 'node:events';
import { createServer, request, type Server, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { queryObjects } from 'node:v8';
import { expect, onTestFinished, test } from 'vitest';
import { tempHome } from '../../test/support/home.ts';
import { waitUntil } from '../../test/support/wait-until.ts';
import { listen } from './listen.ts';
import { sendStream } from './send-stream.ts';

test('a stream that lasts holds nothing for the events that it has sent', async () => {
  const stream = await openStream();
  await stream.send(100);
  const before = countPromises();
  await stream.send(1000);
  // Sent by @hono/node-server 2.1.6 itself, each event leaves a promise behind until the stream
  // ends.
  expect(countPromises() - before).toBeLessThan(100);
});

test('a client that goes away is told to the source, also while nothing is sent', async () => {
  const stream = await openStream();
  await stream.send(1);
  stream.leave();
  await stream.cancelled;
});

test('headers arrive before the first event, and the end of the source ends the answer', async () => {
  const stream = await openStream();
  expect(stream.headers).toMatchObject({
    'content-type': 'text/event-stream',
    'transfer-encoding': 'chunked',
  });
  await stream.send(2);
  stream.finish();
  expect(await stream.ended).toBe('data: x\n\ndata: x\n\n');
});

test('a reader that never reads is cut off, and what waited for it is let go; one that reads slowly is not', async () => {
  const patienceMs = 300;
  let cancelled = 0;
  const server = createServer((_, outgoing) => {
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(Buffer.alloc(64 * 1024, 'x')),
      cancel: () => void cancelled++,
    });
    sendStream(new Response(body), outgoing, patienceMs);
  });
  const path = join(tempHome(), 'stream.sock');
  await new Promise<void>((done) => server.listen(path, done));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const open = () =>
    new Promise<import('node:http').IncomingMessage>((resolve, reject) => {
      request({ socketPath: path, agent: false }, resolve).on('error', reject).end();
    });
  const slow = await open();
  let isSlowOver = false;
  slow.on('close', () => {
    isSlowOver = true;
  });
  slow.on('error', () => undefined);
  const deaf = await open();
  deaf.pause().on('error', () => undefined);
  const steps = setInterval(() => void slow.read(), patienceMs / 10);
  onTestFinished(() => clearInterval(steps));
  await waitUntil('the deaf one to be cut off', () => cancelled === 1);
  expect(isSlowOver).toBe(false);
  slow.destroy();
  await waitUntil('the other one to leave', () => cancelled === 2);
});

test('a client that left before its answer began is told to the source', async () => {
  const { open, cancelled } = await openSilent((outgoing) => once(outgoing, 'close'));
  const asked = open();
  await waitUntil('the request', () => asked.socket?.writableLength === 0);
  asked.destroy();
  await cancelled;
});

test('a client that goes away is told to a source that is asked for its next piece and has none', async () => {
  const { open, cancelled } = await openSilent(async () => undefined);
  const asked = open();
  await once(asked, 'response');
  asked.destroy();
  await cancelled;
});

test('a source that fails ends the answer where it is, and the failure is a bug that is told', async () => {
  const failures: unknown[] = [];
  const note = (error: unknown) => void failures.push(error);
  const others = process.listeners('unhandledRejection');
  process.removeAllListeners('unhandledRejection').on('unhandledRejection', note);
  onTestFinished(() => {
    process.removeAllListeners('unhandledRejection');
    for (const other of others) process.on('unhandledRejection', other);
  });
  const server = createServer((_, outgoing) => {
    const body = new ReadableStream<Uint8Array>({
      pull: () => Promise.reject(new Error('the source failed')),
    });
    sendStream(new Response(body), outgoing);
  });
  const asked = (await serve(server))();
  const [response] = (await once(asked, 'response')) as [import('node:http').IncomingMessage];
  await expect(once(response.resume(), 'end')).rejects.toThrow('aborted');
  await waitUntil('the word of it', () => failures.length > 0);
  expect(failures).toEqual([new Error('the source failed')]);
});

/** A source that says nothing and hears of no signal, sent when its request has come so far. */
async function openSilent(ready: (outgoing: ServerResponse) => Promise<unknown>) {
  let cancel = (): void => undefined;
  const cancelled = new Promise<void>((resolve) => {
    cancel = resolve;
  });
  const server = createServer(async (_, outgoing) => {
    await ready(outgoing);
    const body = new ReadableStream<Uint8Array>({ pull: () => never, cancel });
    sendStream(new Response(body), outgoing);
  });
  return { open: await serve(server), cancelled };
}

const never = new Promise<void>(() => undefined);

async function serve(server: Server) {
  const socketPath = join(tempHome(), 'stream.sock');
  await new Promise<void>((done) => server.listen(socketPath, done));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return () => {
    const asked = request({ socketPath, agent: false }).on('error', () => undefined);
    asked.end();
    return asked;
  };
}

async function openStream() {
  let wake: (() => void) | undefined;
  let wanted = 0;
  let isOver = false;
  let cancel = (): void => undefined;
  const cancelled = new Promise<void>((resolve) => {
    cancel = resolve;
  });
  const body = (signal: AbortSignal) =>
    new ReadableStream<Uint8Array>(
      {
        async pull(controller) {
          while (wanted === 0 && !isOver) {
            await new Promise<void>((resolve) => {
              wake = resolve;
            });
          }
          if (isOver) return controller.close();
          wanted--;
          controller.enqueue(Buffer.from('data: x\n\n'));
        },
        start: () => signal.addEventListener('abort', cancel),
      },
      { highWaterMark: 0 },
    );
  const path = join(tempHome(), 'daemon.sock');
  const listener = await listen(
    path,
    async ({ signal }) =>
      new Response(body(signal), { headers: { 'content-type': 'text/event-stream' } }),
  );
  let text = '';
  let got: (() => void) | undefined;
  const finish = () => {
    isOver = true;
    wake?.();
  };
  const asked = request({ socketPath: path, path: '/' });
  const response = await new Promise<import('node:http').IncomingMessage>((resolve, reject) => {
    asked.on('response', resolve).on('error', reject).end();
  });
  onTestFinished(async () => {
    finish();
    asked.destroy();
    await listener.close(0);
  });
  response.on('data', (chunk: Buffer) => {
    text += chunk.toString();
    got?.();
  });
  const ended = new Promise<string>((resolve) => {
    response.on('close', () => resolve(text)).on('error', () => undefined);
  });
  return {
    headers: response.headers,
    ended,
    cancelled,
    finish,
    leave: () => void asked.destroy(),
    send: async (events: number) => {
      const length = text.length + events * 'data: x\n\n'.length;
      wanted += events;
      wake?.();
      while (text.length < length) {
        await new Promise<void>((resolve) => {
          got = resolve;
        });
      }
    },
  };
}

/** After a full collection. */
function countPromises(): number {
  return Number(queryObjects(Promise));
}
