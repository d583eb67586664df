import { expect, test } from 'vitest';
import { access } from '../../src/server/access.ts';
import { systemClock } from '../../src/shared/clock.ts';
import { addRunning, as, fault } from '../support/mail.ts';
import { tokenOf } from '../support/mcp.ts';
import { read, TestServer, userTokenOfTests } from '../support/server.ts';

/** What takes no body, and what takes one, as far as it matters before the body is read. */
function init(method: string, headers: Record<string, string>): RequestInit {
  const json = { 'content-type': 'application/json', ...headers };
  return method === 'GET' ? { headers } : { method, headers: json, body: '{}' };
}

function toRequest(route: string): readonly [method: string, path: string] {
  const [method = '', path = ''] = route.split(' ');
  const named = path.replace(':agent', 'worker').replace(':id', 'x1').replace(':event', 'Stop');
  return [method, named];
}

test('every registered route is in the table of who may call it, and nothing else is', () => {
  const routes = new TestServer().routes.filter(({ method }) => method !== 'ALL');
  const names = new Set(routes.map(({ method, path }) => `${method} ${path}`));
  expect([...names].toSorted()).toEqual(Object.keys(access).toSorted());
});

test('a wrong token is refused with 401 on every route, also those that are not there, before the body is looked at', async () => {
  const server = new TestServer();
  await addRunning(server, 'worker');
  const wrong = ['Bearer tok_wrong', 'Bearer ', '', 'Basic dXNlcjp4', 'Bearer a b', 'tok_worker'];
  for (const route of [...Object.keys(access), 'GET /nowhere', 'POST /nowhere', 'PUT /agents']) {
    const [method, path] = toRequest(route);
    for (const authorization of wrong) {
      const body = {
        ...init(method, { authorization }),
        ...(method === 'GET' ? {} : { body: '{' }),
      };
      const response = await server.ask(path, body);
      expect([route, authorization, ...(await fault(response))]).toEqual([
        ...[route, authorization, 401, 'unauthorised'],
      ]);
    }
  }
  expect([server.shutdowns, server.fleet.hooks, server.fleet.launches]).toEqual([0, [], []]);
});

test('a wrong token is refused also with the name of an agent beside it, and with another protocol', async () => {
  const server = new TestServer();
  const worker = await addRunning(server, 'worker');
  const headers = { ...as(worker), authorization: 'Bearer wrong', 'signalbox-protocol': '99' };
  expect(await fault(await server.ask('/agents', { headers }))).toEqual([401, 'unauthorised']);
});

test('the table is enforced: each route answers those who may call it, and refuses the others', async () => {
  for (const [route, allowed] of Object.entries(access)) {
    const server = new TestServer();
    const worker = await addRunning(server, 'worker');
    const gone = await addRunning(server, 'gone');
    const end = { at: systemClock.now(), cause: 'exited' };
    await server.ledger.write((tx) => tx.epochs.end(gone.id, 1, end));
    const [method, path] = toRequest(route);
    const callers = { user: {}, agent: tokenOf(worker), former: tokenOf(gone) } as const;
    for (const [caller, headers] of Object.entries(callers)) {
      const stop = new AbortController();
      // What waits or streams has been let in once it does so.
      setTimeout(() => stop.abort(), 1000).unref();
      const asked = server.ask(path, { ...init(method, headers), signal: stop.signal });
      const late = new Promise<'let in'>((done) => {
        stop.signal.addEventListener('abort', () => done('let in'), { once: true });
      });
      const response = await Promise.race([asked, late]);
      const status = response === 'let in' ? 0 : response.status;
      const isRefused = status === 401 || (status === 403 && caller !== 'user');
      // An agent may be let in, and then be refused what belongs to another one.
      const isForItself = caller === 'agent' && status === 403 && allowed.includes('agent');
      const isIn = !isRefused || isForItself;
      expect([route, caller, isIn]).toEqual([route, caller, allowed.includes(caller as 'user')]);
      if (response !== 'let in') await response.body?.cancel();
    }
  }
});

test("an agent's token, or its name, can neither end the daemon nor act as the user", async () => {
  const server = new TestServer();
  const worker = await addRunning(server, 'worker');
  await server.add('other');
  for (const headers of [tokenOf(worker), as(worker)]) {
    const response = await server.post('/shutdown', {}, headers);
    expect(await fault(response)).toEqual([403, 'not-allowed']);
  }
  expect(server.shutdowns).toBe(0);
  const both = {
    ...tokenOf(worker),
    'signalbox-agent': 'user',
    'signalbox-user': userTokenOfTests,
  };
  const sent = await server.post('/messages', { to: 'other', body: 'x' }, both);
  expect(await fault(sent)).toEqual([403, 'not-allowed']);
  expect(await fault(await server.post('/shutdown', {}, both))).toEqual([403, 'not-allowed']);
  const inbox = await server.ask('/agents/other/inbox', { headers: tokenOf(worker) });
  expect(await fault(inbox)).toEqual([403, 'not-allowed']);
  expect((await server.post('/shutdown', {})).status).toBe(200);
});

test('health and the end of the daemon do not depend on the ledger', async () => {
  const server = new TestServer();
  server.ledger.read = () => Promise.reject(new Error('the disk is gone'));
  expect(await read(await server.ask('/health'))).toMatchObject({ ok: false });
  expect((await server.post('/shutdown', {})).status).toBe(200);
});
