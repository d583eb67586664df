import { expect, test } from 'vitest';
import { read, TestServer } from '../support/server.ts';

const right = { authorization: 'Bearer right' };

test('rule 38: a hook with the token of its agent is taken, with its payload', async () => {
  const server = new TestServer();
  const response = await server.post('/hooks/Stop', { session_id: 'x' }, right);
  expect(await read(response)).toEqual({ outcome: 'taken' });
  expect(server.fleet.hooks).toEqual([
    { token: 'right', event: 'Stop', body: { session_id: 'x' } },
  ]);
});

test('rule 38: a wrong token is ignored, and none at all is 401', async () => {
  const server = new TestServer();
  const wrong = await server.post('/hooks/Stop', {}, { authorization: 'Bearer wrong' });
  expect([wrong.status, await read(wrong)]).toEqual([200, { outcome: 'ignored' }]);
  for (const authorization of ['', 'Basic right', 'Bearer ']) {
    const response = await server.post('/hooks/Stop', {}, { authorization });
    expect([response.status, (await read(response)).error.code]).toEqual([401, 'unauthorised']);
  }
});

test('O5: what cannot be read is skipped and logged, and the agent gets its answer', async () => {
  const server = new TestServer();
  const cases = { 'not-json': '{"half', 'too-large': `"${'x'.repeat(1024 * 1024)}"` };
  for (const [reason, body] of Object.entries(cases)) {
    const response = await server.post('/hooks/Stop', body, right);
    expect([response.status, await read(response)]).toEqual([200, { outcome: 'ignored', reason }]);
  }
  expect(server.fleet.hooks).toEqual([]);
  expect(server.logged).toHaveLength(2);
  expect(server.logged.join()).not.toContain('right');
});

test('any content type and an empty body will do: hooks are written by many', async () => {
  const server = new TestServer();
  const response = await server.post('/hooks/Notification', '', {
    ...right,
    'content-type': 'x/y',
  });
  expect(await read(response)).toEqual({ outcome: 'taken' });
  expect(server.fleet.hooks[0]?.body).toEqual({});
});

test('rule 23: a hook is answered although its receiver hangs, or throws', async () => {
  const server = new TestServer();
  let open = (): void => undefined;
  server.fleet.hookGate = new Promise((resolve) => {
    open = resolve;
  });
  const late = await server.post('/hooks/Stop', {}, right);
  expect([late.status, await read(late)]).toEqual([200, { outcome: 'late', reason: 'slow' }]);
  open();
  server.fleet.hookGate = Promise.reject(new Error('broken'));
  const failed = await server.post('/hooks/Stop', {}, right);
  expect([failed.status, await read(failed)]).toEqual([
    200,
    { outcome: 'ignored', reason: 'failed' },
  ]);
});
