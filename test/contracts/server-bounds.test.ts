import { describe, expect, test } from 'vitest';
import { addRunning, fault } from '../support/mail.ts';
import { tokenOf } from '../support/mcp.ts';
import { read, TestServer } from '../support/server.ts';

const long = 'm'.repeat(1e6);
const raw = '\u001b[2J\u202e\u009bx';

describe('what a request may hold', () => {
  test('text that is not UTF-8 is refused over HTTP and MCP as the command line does, and nothing is kept', async () => {
    const server = new TestServer();
    const worker = await addRunning(server, 'worker');
    const post = (path: string, document: object) => {
      // As a program that writes Latin-1 does it.
      const body = Buffer.from(JSON.stringify(document), 'latin1');
      const headers = { 'content-type': 'application/json', ...tokenOf(worker) };
      return server.ask(path, { method: 'POST', headers, body });
    };
    const requests: readonly (readonly [string, object])[] = [
      ['/messages', { to: 'user', body: 'café' }],
      ['/tasks', { to: 'worker', task: 'café', cwd: '/', env: {} }],
      ['/messages/ack', { ids: ['café'] }],
      [
        '/mcp',
        {
          ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
          params: { name: 'send_message', arguments: { to: 'user', body: 'café' } },
        },
      ],
    ];
    for (const [path, document] of requests) {
      const refused = await post(path, document);
      const { error } = await read(refused);
      expect([path, refused.status, error.code]).toEqual([path, 400, 'invalid-input']);
      expect(error.message).toBe('The request is not valid UTF-8; nothing was done.');
    }
    expect(await read(await server.ask('/agents/user/inbox'))).toMatchObject({ messages: [] });
    const whole = await server.post('/messages', { to: 'worker', body: 'café \ufffd' });
    expect(whole.status).toBe(201);
  });

  test('rule 47: what is too long or raw is refused, and comes back short and visible', async () => {
    const server = new TestServer();
    await server.add('worker');
    const task = { to: 'worker', task: 'x', cwd: '/', env: {} };
    const start = {
      provider: 'generic',
      notify: true,
      cwd: '/',
      extraArgs: [],
      env: {},
      extraEnv: {},
    };
    const wrong: readonly (readonly [string, object])[] = [
      ['/messages', { to: long, body: 'x' }],
      ['/messages', { to: raw, body: 'x' }],
      ['/messages', { to: 'worker', body: 'x', key: long }],
      ['/messages', { to: 'worker', body: 'x', replyTo: long }],
      ['/messages', { to: 'worker', body: 'x', replyTo: raw }],
      ['/messages', { to: 'worker', body: 'x', [long]: 1 }],
      ['/messages', { to: 'worker', body: 'x', [raw]: 1 }],
      ['/messages/ack', { ids: [long] }],
      ['/messages/ack', { ids: [raw] }],
      ['/tasks', { ...task, to: long }],
      ['/tasks', { ...task, key: long }],
      ['/tasks', { ...task, to: 'generic', name: long }],
      ['/tasks', { ...task, to: 'generic', name: raw }],
      ['/tasks', { ...task, to: 'generic', session: raw }],
      ['/tasks', { ...task, env: { [long]: 1 } }],
      ['/agents', { ...start, name: raw }],
      ['/agents', { ...start, name: long }],
      ['/agents', { ...start, provider: long }],
      ['/agents', { ...start, parent: raw }],
    ];
    for (const [path, document] of wrong) {
      const response = await server.post(path, document);
      const seen = `${path} ${JSON.stringify(document).slice(0, 60)}`;
      expect([seen, response.status >= 400 && response.status < 500]).toEqual([seen, true]);
      const text = await response.text();
      expect([seen, text.length < 2000]).toEqual([seen, true]);
      const { error } = JSON.parse(text);
      // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
      expect(`${error.message} ${error.next}`).not.toMatch(/[\u001b\u007f-\u009f\u202e]/);
    }
    const id = encodeURIComponent(raw);
    for (const path of [`/messages/${id}`, `/agents/${id}`, `/tasks/${id}/answer`, `/${id}`]) {
      const response = await server.ask(path);
      expect([path, response.status]).toEqual([path, 404]);
      // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
      expect((await read(response)).error.message).not.toMatch(/[\u001b\u007f-\u009f\u202e]/);
    }
    expect(await fault(await server.ask(`/messages/${'m'.repeat(8000)}`))).toEqual([
      400,
      'invalid-input',
    ]);
  });
});
