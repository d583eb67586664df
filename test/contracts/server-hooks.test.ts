import { expect, test } from 'vitest';
import type { HookOffer } from '../../src/providers/way-in.ts';
import { addHookLives } from '../support/mail.ts';
import { read, TestServer } from '../support/server.ts';
import { waitUntil } from '../support/wait-until.ts';

const right = { authorization: 'Bearer right' };
const boundary: HookOffer = {
  route: 'turn-boundary',
  isContinued: false,
  reply: (text) => ({ stdout: `{"say":"${text}"}`, exitCode: 0 }),
};
const native: HookOffer = {
  route: 'native',
  isContinued: false,
  reply: (text) => ({ stderr: text, exitCode: 2 }),
};

test('rule 38: a hook with the token of its agent is taken, with its payload', async () => {
  const server = await addHookLives(new TestServer());
  const response = await server.post('/hooks/Stop', { session_id: 'x' }, right);
  expect([response.status, await response.text()]).toEqual([204, '']);
  expect(server.fleet.hooks).toEqual([
    { token: 'right', event: 'Stop', body: { session_id: 'x' } },
  ]);
});

test('rule 38: the token of a life that is over is ignored; a wrong one, and none at all, is 401', async () => {
  const server = await addHookLives(new TestServer());
  const old = await server.post('/hooks/Stop', {}, { authorization: 'Bearer old' });
  expect([old.status, await read(old)]).toEqual([200, { outcome: 'ignored' }]);
  for (const authorization of ['', 'Basic right', 'Bearer ', 'Bearer wrong']) {
    const response = await server.post('/hooks/Stop', {}, { authorization });
    expect([response.status, (await read(response)).error.code]).toEqual([401, 'unauthorised']);
  }
});

test('O5: what cannot be read is skipped and logged, and the agent gets its answer', async () => {
  const server = await addHookLives(new TestServer());
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
  const server = await addHookLives(new TestServer());
  const response = await server.post('/hooks/Notification', '', {
    ...right,
    'content-type': 'x/y',
  });
  expect(response.status).toBe(204);
  expect(server.fleet.hooks[0]?.body).toEqual({});
});

test('rule 23: a hook is answered although its receiver hangs, or throws', async () => {
  const server = await addHookLives(new TestServer());
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

test('rule 16: what is to be said comes with an id, and counts once it is confirmed in time', async () => {
  const server = await addHookLives(new TestServer());
  server.fleet.offer = boundary;
  server.hookDesk.next = 'two\nlines \\ and "quotes"\n';
  const answer = await server.post('/hooks/Stop', {}, right);
  expect([answer.status, answer.headers.get('content-type')]).toEqual([
    200,
    expect.stringMatching(/^text\/plain/),
  ]);
  expect(await answer.text()).toBe('say_1 stdout 0\n{"say":"two\nlines \\ and "quotes"\n"}');
  expect(server.hookDesk.confirmed).toEqual([]);
  const go = await server.post('/hooks/confirm/say_1', '', right);
  expect([go.status, await go.text()]).toEqual([200, 'go']);
  server.hookDesk.isConfirmable = false;
  expect((await server.post('/hooks/confirm/say_1', '', right)).status).toBe(410);
  expect((await server.post('/hooks/confirm/say_1', '')).status).toBe(401);
});

test('rule 38: nobody is asked what to say to an agent that the hook is not of', async () => {
  const server = await addHookLives(new TestServer());
  server.fleet.offer = boundary;
  server.hookDesk.next = 'secret';
  const old = await server.post('/hooks/Stop', {}, { authorization: 'Bearer old' });
  expect(await read(old)).toEqual({ outcome: 'ignored' });
  expect(server.hookDesk.asked).toEqual([]);
});

test('rule 23: a desk that hangs delays no hook, and what it says later is never confirmed', async () => {
  const server = await addHookLives(new TestServer());
  server.fleet.offer = boundary;
  server.hookDesk.next = 'late';
  server.hookDesk.gate = new Promise(() => undefined);
  const late = await server.post('/hooks/Stop', {}, right);
  expect(await read(late)).toEqual({ outcome: 'late', reason: 'slow' });
  expect(server.hookDesk.confirmed).toEqual([]);
});

test('rules 16, 20: for a hook that was answered, or has left, before its turn end was on disk, nothing is asked', async () => {
  const server = await addHookLives(new TestServer());
  server.fleet.offer = boundary;
  server.hookDesk.next = 'for nobody';
  let open = (): void => undefined;
  const hold = (): void => {
    server.fleet.hookGate = new Promise((resolve) => {
      open = resolve;
    });
  };
  hold();
  const late = await server.post('/hooks/Stop', {}, right);
  expect(await read(late)).toEqual({ outcome: 'late', reason: 'slow' });
  open();
  hold();
  const gone = new AbortController();
  const init = { method: 'POST', headers: right, body: '{}', signal: gone.signal };
  const left = server.fetch(new Request('http://localhost/hooks/Stop', init));
  await waitUntil('it is here', () => server.fleet.hooksBegun === 2);
  gone.abort();
  open();
  await left;
  await waitUntil('both are on disk', () => server.fleet.hooks.length === 2);
  expect(server.hookDesk.asked).toEqual([]);
});

test('rule 22: a hook waits, as a child of its process, until something is to be said', async () => {
  const server = await addHookLives(new TestServer());
  server.fleet.offer = native;
  const answer = server.post('/hooks/wait?pid=77', { session_id: 'x' }, right);
  await waitUntil('it waits', () => server.hookDesk.waiters > 0);
  expect(server.hookDesk.waiting[0]).toMatchObject({ agent: 'agt_1', waiter: { pid: 77 } });
  expect(server.fleet.hooks[0]?.event).toBe('wait');
  server.hookDesk.wake('hello');
  expect(await (await answer).text()).toBe('say_1 stderr 2\nhello');
});

test('rule 23: a waiting hook is dismissed for good only when that is certain', async () => {
  const server = await addHookLives(new TestServer());
  const wait = (token: string, path = '/hooks/wait?pid=77') =>
    server.post(path, {}, { authorization: `Bearer ${token}` });
  expect(await (await wait('old')).text()).toBe('dismissed');
  expect((await wait('unseen')).status).toBe(503);
  expect((await wait('right', '/hooks/wait?pid=0')).status).toBe(400);
  server.fleet.offer = boundary;
  expect(await (await wait('right')).text()).toBe('dismissed');
  server.fleet.offer = native;
  const older = wait('right');
  await waitUntil('it waits', () => server.hookDesk.waiters > 0);
  server.hookDesk.dismiss();
  expect(await (await older).text()).toBe('dismissed');
});

test('a client that goes away waits no more, and an end of the daemon dismisses nobody', async () => {
  const server = await addHookLives(new TestServer());
  server.fleet.offer = native;
  const gone = new AbortController();
  const init = { method: 'POST', headers: right, body: '{}' };
  const url = 'http://localhost/hooks/wait?pid=77';
  const left = server.fetch(new Request(url, { ...init, signal: gone.signal }));
  await waitUntil('it waits', () => server.hookDesk.waiters === 1);
  gone.abort();
  await left;
  expect(server.hookDesk.waiters).toBe(0);
  const stays = server.fetch(new Request(url, init));
  await waitUntil('it waits', () => server.hookDesk.waiters === 1);
  server.ending.abort();
  expect((await stays).status).toBe(503);
});
