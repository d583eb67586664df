import { expect, test } from 'vitest';
import { addRunning } from '../support/mail.ts';
import { tokenOf } from '../support/mcp.ts';
import { TestServer } from '../support/server.ts';

test('an agent that only pulls is told so, and no tool says that messages reach it by themselves', async () => {
  const server = new TestServer();
  const script = await server.add('script');
  const worker = await addRunning(server, 'worker');
  const told = async (head: Record<string, string>): Promise<string> => {
    const clientInfo = { name: 'test', version: '1' };
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
    const opening = { jsonrpc: '2.0', id: 1, method: 'initialize', params };
    const list = { jsonrpc: '2.0', id: 2, method: 'tools/list' };
    const asked = [opening, list].map(async (body) =>
      (await server.post('/mcp', body, head)).text(),
    );
    return (await Promise.all(asked)).join('');
  };
  const pulls = await told({ 'signalbox-agent': script.id });
  expect(pulls).toContain(
    'Nothing wakes you when a message comes: take your messages with check_inbox',
  );
  expect(pulls).not.toMatch(
    /by themselves|do not poll|instead of polling|comes to you|end your turn/,
  );
  expect(await told(tokenOf(worker))).toMatch(/They also reach you by themselves.*: do not poll/);
  // A line tells it that mail waits; nothing is put into its conversation.
  const why = { code: 'notice-only' } as const;
  const notice = { route: 'paste', state: 'missing', why } as const;
  server.delivery.states = [notice, { route: 'pull', state: 'open' }];
  expect(await told(tokenOf(worker))).toBe(pulls.replaceAll('\\"script\\"', '\\"worker\\"'));
  // A way in that is just missing is put up again.
  server.delivery.states = [
    { route: 'native', state: 'missing', why: { code: 'native-blocked', why: 'not connected' } },
  ];
  expect(await told(tokenOf(worker))).toContain('do not poll');
});

test('results tell an agent that only pulls where the answer will be', async () => {
  const server = new TestServer();
  const script = await server.add('script');
  await addRunning(server, 'worker');
  const call = async (name: string, args: object) => {
    const params = { name, arguments: { profile: 'worker', task: 'x', ...args } };
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
    return (await server.post('/mcp', body, { 'signalbox-agent': script.id })).text();
  };
  expect(await call('assign', {})).toContain('will wait in your inbox: take it with check_inbox');
  expect(await call('handoff', { timeout_seconds: 1 })).toContain('take it with check_inbox later');
});
