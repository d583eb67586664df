import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openDaemonBox } from '../support/daemon.ts';
import { tempHome } from '../support/home.ts';
import { addRunning, send, state } from '../support/mail.ts';
import { TestServer } from '../support/server.ts';
import { sweepList } from '../support/sweep.ts';
import { waitUntil } from '../support/wait-until.ts';
import { openLoopback } from './fixtures/loopback.ts';
import { proxyProgram } from './fixtures/proxy.ts';

/** A real client: the protocol as it is spoken with a handshake, and as it is since 2026-07-28. */
const modes = [
  { version: '2026-07-28', mode: 'auto' },
  { version: '2025-11-25', mode: 'legacy' },
] as const;

async function connect(
  mode: 'legacy' | 'auto',
  transport: Parameters<Client['connect']>[0],
): Promise<Client> {
  const options = { versionNegotiation: { mode } };
  const client = new Client({ name: 'test', version: '1' }, options);
  onTestFinished(() => client.close());
  await client.connect(transport);
  return client;
}

const call = async (client: Client, name: string, args: Record<string, unknown> = {}) =>
  // biome-ignore lint/suspicious/noExplicitAny: a test looks at what it expects, and fails where it is not there
  (await client.callTool({ name, arguments: args })).structuredContent as any;

describe.each(sweepList(modes))('a client of the SDK, protocol $version', ({ version, mode }) => {
  test('over stdio: connects, lists, sends, takes; and is told when the daemon is down', async () => {
    const box = openDaemonBox();
    await box.run(['up']);
    await box.run(['agents', 'add', 'script']);
    const id = await box.send('script', 'hello');
    const env = { SIGNALBOX_HOME: box.home, SIGNALBOX_AGENT: 'script' };
    const marker = { SIGNALBOX_TEST_RUN: process.env['SIGNALBOX_TEST_RUN'] ?? '' };
    const client = await connect(
      mode,
      new StdioClientTransport({
        command: process.execPath,
        args: [proxyProgram],
        env: { ...env, ...marker },
      }),
    );
    expect(client.getNegotiatedProtocolVersion()).toBe(version);
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain('handoff');
    expect((await call(client, 'check_inbox')).messages).toMatchObject([{ id, body: 'hello' }]);
    const sent = await call(client, 'send_message', { reply_to: id, body: 'hello too' });
    expect(sent.to.name).toBe('user');
    await box.run(['down']);
    const refused = await client.callTool({ name: 'list_agents' });
    expect(refused.isError).toBe(true);
  });

  test('over HTTP on loopback, with the token of an agent', async () => {
    const server = new TestServer();
    await addRunning(server, 'worker');
    const id = await send(server, 'worker', 'hello');
    const loopback = openLoopback(server);
    const headers = { authorization: 'Bearer tok_worker' };
    const transport = new StreamableHTTPClientTransport(new URL(await loopback.open()), {
      requestInit: { headers },
    });
    const client = await connect(mode, transport);
    expect((await call(client, 'check_inbox')).messages).toMatchObject([{ id, body: 'hello' }]);
    expect(await state(server, id)).toBe('injected');
    // Rule 17: its next call, over whichever of its connections, once it cannot have been sent
    // beside the first.
    await waitUntil('its next call answers for it', async () => {
      await call(client, 'list_agents');
      return (await state(server, id)) === 'acked';
    });
  });
});

describe('tools over HTTP on loopback', () => {
  test('refuse web pages, other names, other paths and methods, and whoever shows no token', async () => {
    const server = new TestServer();
    await addRunning(server, 'worker');
    const url = await openLoopback(server).open();
    const { port } = new URL(url);
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
    const ask = async (more: Record<string, string>, path = '/mcp', method = 'POST') => {
      const { request } = await import('node:http');
      const headers = {
        host: `127.0.0.1:${port}`,
        authorization: 'Bearer tok_worker',
        'content-type': 'application/json',
        ...more,
      };
      return new Promise<number>((resolve, reject) => {
        const asking = request({ host: '127.0.0.1', port, path, method, headers }, (response) => {
          response.resume();
          resolve(response.statusCode ?? 0);
        });
        asking.on('error', reject);
        asking.end(method === 'POST' ? body : undefined);
      });
    };
    expect(await ask({})).toBe(200);
    expect(await ask({ host: `localhost:${port}` })).toBe(200);
    expect(await ask({ origin: 'http://localhost' })).toBe(403);
    expect(await ask({ origin: 'null' })).toBe(403);
    expect(await ask({ host: `evil.example:${port}` })).toBe(403);
    expect(await ask({ host: '127.0.0.1' })).toBe(403);
    expect(await ask({}, '/mcp', 'GET')).toBe(405);
    expect(await ask({}, '/shutdown')).toBe(404);
    expect(await ask({}, '/agents')).toBe(404);
    expect(await ask({ authorization: '' })).toBe(401);
    expect(await ask({ authorization: 'Bearer tok_stranger' })).toBe(401);
    expect(server.shutdowns).toBe(0);
  });

  test('are opened for the agents that use them, closed after the last, and keep their port', async () => {
    const server = new TestServer();
    const stateFolder = tempHome();
    let ports: readonly number[] = [];
    const open = () => openLoopback(server, stateFolder, async () => ports);
    const first = open();
    await first.review();
    const url = await first.open();
    // A launch is under way: nobody closes it.
    await first.review();
    expect((await fetch(url)).status).toBe(401);
    await first.close();
    await expect(fetch(url)).rejects.toThrow();
    ports = [Number(new URL(url).port)];
    const second = open();
    await second.review();
    expect((await fetch(url)).status).toBe(401);
    expect(await second.open()).toBe(url);
    await second.close();
  });
});
