import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { waitFor } from '../../../test/support/wait-for.ts';
import type { NativeRoute } from '../way-in.ts';
import { linkFolder } from './extension.ts';
import { openNative } from './native.ts';

/**
 * /new and /resume leave a conversation behind with its extension, which still takes messages
 * (Copilot CLI 1.0.102).
 */
let folder: string;
let front: string;
let route: NativeRoute | undefined;
let taken: string[];
const ends: (() => Promise<void>)[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'signalbox-copilot-'));
  mkdirSync(linkFolder(folder));
  taken = [];
});
afterEach(async () => {
  route?.close();
  for (const end of ends.splice(0)) await end();
  rmSync(folder, { recursive: true, force: true });
});

test('a message goes into the conversation that the terminal shows, not into the newest one', async () => {
  front = 'older';
  await listen('1.older');
  await listen('2.newer');
  const native = await connected();
  // Only the extension that is asked to send knows that a person has gone back.
  expect(await native.inject(injection())).toMatchObject({ outcome: 'refused' });
  await waitFor(() => expect(native.blocked()).toBeUndefined());
  expect(await native.inject(injection())).toEqual({ outcome: 'taken', receipt: 'in older' });
  front = 'newer';
  expect(await native.inject(injection())).toMatchObject({ outcome: 'refused' });
  await waitFor(() => expect(native.blocked()).toBeUndefined());
  expect(await native.inject(injection())).toEqual({ outcome: 'taken', receipt: 'in newer' });
  expect(taken).toEqual(['older', 'newer']);
});

test('while the conversation in the terminal has no extension the route is blocked, until it has one or is left', async () => {
  front = 'bare';
  await listen('1.older');
  const native = await connected();
  expect(await native.inject(injection())).toMatchObject({ outcome: 'refused' });
  expect(native.blocked()).toContain('not connected');
  front = 'older';
  await waitFor(() => expect(native.blocked()).toBeUndefined());
  front = 'bare';
  expect(await native.inject(injection())).toMatchObject({ outcome: 'refused' });
  await listen('3.bare');
  await waitFor(() => expect(native.blocked()).toBeUndefined());
  expect(await native.inject(injection())).toEqual({ outcome: 'taken', receipt: 'in bare' });
  expect(taken).toEqual(['bare']);
});

async function connected(): Promise<NativeRoute> {
  const context = { agent: 'agt_1', pid: 1, cwd: '/srv/app', runFolder: folder, startedAt: 0 };
  const current = () => ({ ...context, conversation: 'older', version: '1.0.102', env: {} });
  const native = openNative({ current, changed: () => undefined });
  route = native;
  await waitFor(() => expect(native.blocked()).toBeUndefined());
  return native;
}

function injection() {
  const signal = AbortSignal.timeout(20_000);
  return { mark: 'mark_1', at: 0, text: 'Hello.', begin: async () => true, signal };
}

/** As the extension does: it sends only where the terminal shows its own conversation. */
async function listen(name: string): Promise<void> {
  const session = name.replace(/^\d+\./, '');
  const sockets: Socket[] = [];
  const server: Server = createServer((socket) => {
    sockets.push(socket);
    socket.on('error', () => undefined);
    socket.write(`${JSON.stringify({ session })}\n`);
    socket.on('data', (chunk) => {
      const { id, do: act } = JSON.parse(chunk.toString()) as { id: number; do: string };
      const isSent = act === 'send' && front === session;
      if (isSent) taken.push(session);
      const answer = { id, front, ...(isSent ? { message: `in ${session}` } : {}) };
      socket.write(`${JSON.stringify(answer)}\n`);
    });
  });
  const path = join(linkFolder(folder), name);
  await new Promise<void>((done) => server.listen(path, done));
  // A file system's clock goes by milliseconds: the next one is to be newer.
  const probe = join(folder, 'probe');
  await waitFor(() => {
    writeFileSync(probe, name);
    expect(statSync(probe).ctimeMs).toBeGreaterThan(statSync(path).ctimeMs);
  });
  ends.push(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((done) => server.close(done));
  });
}
