import { once } from 'node:events';
import { connect } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { tempHome } from '../../test/support/home.ts';
import type { Connection, ConnectionEnd } from '../server/connection.ts';
import { listen } from './listen.ts';

/** Answers like the MCP SDK 2.4, which says `keep-alive` to everybody. */
async function openServer(type: string) {
  const path = join(tempHome(), 'socket');
  let connection: Connection | undefined;
  const listener = await listen(path, async (_, carried) => {
    connection = carried.connection;
    const headers = { 'content-type': type, connection: 'keep-alive' };
    return new Response(type === 'text/event-stream' ? 'data: x\n\n' : '{}', { headers });
  });
  onTestFinished(() => listener.close(0));
  const end = () =>
    new Promise<ConnectionEnd>((resolve) => {
      if (!connection) throw new Error('nobody has asked');
      connection.onEnd(resolve);
    });
  return { path, end };
}

async function ask(path: string, allowHalfOpen: boolean) {
  const socket = connect({ path, allowHalfOpen });
  onTestFinished(() => void socket.destroy());
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk;
  });
  socket.write('POST /mcp HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-length: 0\r\n\r\n');
  await once(socket, 'end');
  return { socket, text };
}

test.each(['text/event-stream', 'application/json'])(
  'rule 17: a connection that its client wants closed ends with the answer, and the client closing it too shows that it has read it: %s',
  async (type) => {
    const { path, end } = await openServer(type);
    const { text } = await ask(path, false);
    expect(text).toMatch(/^connection: close\r$/im);
    expect(text).not.toMatch(/keep-alive/i);
    expect(await end()).toBe('closed');
  },
);

test('rule 17: a client that leaves its side open has shown nothing, and is not waited for without end', async () => {
  const { path, end } = await openServer('text/event-stream');
  const { socket } = await ask(path, true);
  expect(await end()).toBe('dropped');
  socket.destroy();
});
