import { createServer, request } from 'node:http';
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
  // Sent by @hono/node-server 2.1.6 itself, each event leaves a promise behind until the stream ends.
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
