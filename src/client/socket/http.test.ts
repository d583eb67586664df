import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { expect, onTestFinished, test } from 'vitest';
import { readStartTime } from '../../shared/processes.ts';
import { call, readStream } from './http.ts';

/** Listens, and lets nobody in. */
const deaf = `
  require('node:net').createServer().listen(process.argv[1], () => {
    require('node:fs').writeSync(1, 'listening');
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  });
`;

async function listenDeaf() {
  const folder = mkdtempSync(join(tmpdir(), 'sbx-http-'));
  const socket = join(folder, 'daemon.sock');
  const child = spawn(process.execPath, ['-e', deaf, socket], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  onTestFinished(() => {
    child.kill('SIGKILL');
    rmSync(folder, { recursive: true });
  });
  await once(child.stdout, 'data');
  const request = { socket, method: 'POST', path: '/agents/worker/look' } as const;
  return { child, asked: () => call(request, AbortSignal.timeout(30_000)) };
}

const isLinux = process.platform === 'linux';

test.runIf(isLinux)('a daemon that dies before it lets the caller in was not asked', async () => {
  const { child, asked } = await listenDeaf();
  const answer = asked();
  const { pid = 0 } = child;
  const startedAt = readStartTime(pid);
  child.kill('SIGKILL');
  // Without a turn of the loop: the request is not written yet. The socket lives until its last
  // thread has ended.
  while (readStartTime(pid) === startedAt || readdirSync(`/proc/${pid}/task`).length > 1);
  expect(await answer).toEqual({ outcome: 'refused' });
});

test('one that dies with the request in its hands may have done it', async () => {
  const { child, asked } = await listenDeaf();
  const answer = asked();
  setImmediate(() => setImmediate(() => child.kill('SIGKILL')));
  expect(await answer).toMatchObject({ outcome: 'broken' });
});

test('nobody listens: nothing was asked', async () => {
  const { child, asked } = await listenDeaf();
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(await asked()).toEqual({ outcome: 'refused' });
});

test('rule 47: a line separator in an event does not break the stream it comes by', async () => {
  const documents = ['a\u2028b', 'c\u2029d', 'e\u0085f'].map((text) => JSON.stringify({ text }));
  const stream = new PassThrough();
  for (const document of documents) stream.write(`event: x\nid: 1\ndata: ${document}\n\n`);
  stream.end();
  const read: string[] = [];
  for await (const data of readStream(stream as unknown as IncomingMessage)) read.push(data);
  expect(read).toEqual(documents);
});
