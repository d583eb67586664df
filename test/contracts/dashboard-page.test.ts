import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { access } from '../../src/server/access.ts';
import { loadAssets } from '../../src/server/page/assets.ts';
import { onPage } from '../../src/server/page/on-page.ts';
import { ManualClock } from '../fakes/manual-clock.ts';
import { tempHome } from '../support/home.ts';
import { addRunning } from '../support/mail.ts';
import { tokenOf } from '../support/mcp.ts';
import { bearer, newNonce, proofOf, readJson, TestPage } from '../support/page.ts';
import { TestServer } from '../support/server.ts';

async function told(response: Response): Promise<readonly [number, string]> {
  return [response.status, (await readJson(response)).error.code];
}

const letters = [
  'GET /dead-letters',
  'POST /dead-letters/:id/retry',
  'POST /dead-letters/:id/discard',
  'GET /snapshot',
  'GET /feed',
];

function toRequest(route: string): readonly [method: string, path: string] {
  const [method = '', path = ''] = route.split(' ');
  const named = path.replace(':agent', 'worker').replace(':id', 'msg_1');
  return [method, `/api${named.replace(':question', 'qabcdef')}`];
}

const init = (method: string, headers: Record<string, string> = {}): RequestInit =>
  method === 'GET'
    ? { headers }
    : { method, headers: { 'content-type': 'application/json', ...headers }, body: '{}' };

describe('the way in', () => {
  test('rule 54: a link signs in once, within a minute, and the server proves that it knows the session', async () => {
    const clock = new ManualClock();
    const page = new TestPage(new TestServer(), { clock });
    const { link } = page.sessions.offer(false);
    const nonce = newNonce();
    const response = await page.post('/page/sign-in', { link, nonce });
    const signedIn = await readJson(response);
    expect([response.status, signedIn.readOnly]).toEqual([200, false]);
    expect(signedIn.proof).toBe(proofOf(signedIn.key, nonce));
    expect(response.headers.has('set-cookie')).toBe(false);
    // Replayed, it is worth nothing.
    const again = await page.post('/page/sign-in', { link, nonce });
    expect(await told(again)).toEqual([410, 'link-spent']);
    const { link: late } = page.sessions.offer(false);
    await clock.pass(60_001);
    expect(await told(await page.post('/page/sign-in', { link: late, nonce }))).toEqual([
      ...[410, 'link-spent'],
    ]);
    const fresh = newNonce();
    const { proof } = await page.prove(signedIn.session, fresh);
    expect(proof).toBe(proofOf(signedIn.key, fresh));
    const unknown = await page.post('/page/prove', { session: 'page_x', nonce: fresh });
    expect(await told(unknown)).toEqual([410, 'session-unknown']);
  });

  test('rule 54: a session that nobody uses for an hour is over, and one whose feed is open is not', async () => {
    const clock = new ManualClock();
    const page = new TestPage(new TestServer(), { clock });
    const [idle, watching] = [await page.signIn(), await page.signIn()];
    const session = page.sessions.findBy(watching.session, watching.key);
    if (!session) throw new Error('it has just signed in');
    const release = page.sessions.hold(session);
    await clock.pass(3_600_000);
    const ask = ({ session, key }: typeof idle) => page.sessions.findBy(session, key)?.id;
    expect([ask(idle), ask(watching)]).toEqual([undefined, watching.session]);
    release();
    await clock.pass(3_599_999);
    expect(ask(watching)).toBe(watching.session);
    await clock.pass(1);
    expect([ask(watching), page.sessions.isEmpty]).toEqual([undefined, true]);
    expect(page.kept.at(-1)).toEqual([]);
  });

  test('rule 54: without a session every route of the API says the same, and does nothing', async () => {
    const server = new TestServer();
    const worker = await addRunning(server, 'worker');
    const page = new TestPage(server);
    const { session, key } = await page.signIn();
    const shown = [
      {},
      tokenOf(worker),
      { authorization: `Bearer ${session}` },
      { authorization: `Bearer ${session}.${key}x` },
      { authorization: `Bearer ${session}.${key}.x` },
      { authorization: `Bearer page_other.${key}` },
      { 'signalbox-user': server.parts.userToken },
    ];
    for (const route of [...onPage, ...letters, 'GET /nowhere', 'POST /mcp']) {
      const [method, path] = toRequest(route);
      for (const headers of shown) {
        const response = await page.ask(path, init(method, headers as Record<string, string>));
        expect([route, headers, await told(response)]).toEqual([
          ...[route, headers, [401, 'unauthorised']],
        ]);
      }
    }
    expect([server.fleet.launches, server.shutdowns]).toEqual([[], 0]);
  });

  test("rule 54: a session of the page is nobody on the daemon's own socket and at the tools", async () => {
    const server = new TestServer();
    const headers = bearer(await new TestPage(server).signIn());
    for (const route of Object.keys(access)) {
      const [method, path] = toRequest(route);
      const response = await server.ask(path.slice('/api'.length), init(method, headers));
      expect([route, response.status]).toEqual([route, 401]);
    }
  });

  test.each([
    ['text/plain', '{"link":"x","nonce":"y"}', 415],
    ['application/x-www-form-urlencoded', 'link=x', 415],
    ['multipart/form-data; boundary=x', '--x--', 415],
    ['application/json', '{', 400],
    ['application/json', '[]', 400],
    ['application/json', JSON.stringify({ link: 'x', nonce: 'y' }), 400],
    ['application/json', JSON.stringify({ link: 'x'.repeat(20_000), nonce: newNonce() }), 413],
  ])('a sign-in as %s of %s is refused', async (type, body, status) => {
    const page = new TestPage(new TestServer());
    const headers = { 'content-type': type };
    const response = await page.ask('/page/sign-in', { method: 'POST', headers, body });
    expect(response.status).toBe(status);
  });
});

describe('what the page may do', () => {
  test('rule 54: a read-only session looks, and every other route refuses it before it is read', async () => {
    const server = new TestServer();
    const worker = await addRunning(server, 'worker');
    const page = new TestPage(server, { means: { env: {}, umask: '0077' } });
    const headers = bearer(await page.signIn(true));
    const before = await server.ledger.read((tx) => tx.changes.newest());
    for (const route of [...onPage, ...letters]) {
      const [method, path] = toRequest(route);
      if (method === 'GET') continue;
      const response = await page.ask(path, { ...init(method, headers), body: '{' });
      expect([route, await told(response)]).toEqual([route, [403, 'read-only']]);
    }
    expect(await server.ledger.read((tx) => tx.changes.newest())).toBe(before);
    expect([server.fleet.launches, server.fleet.decisions]).toEqual([[], []]);
    const snapshot = await readJson(await page.ask('/api/snapshot', { headers }));
    expect(snapshot).toMatchObject({ readOnly: true });
    expect(snapshot.agents.map(({ id }: { id: string }) => id)).toContain(worker.id);
  });

  test('what the table lacks cannot be asked for: the tools, the hooks, the end of the daemon, what hands over', async () => {
    const server = new TestServer();
    const page = new TestPage(server);
    const headers = bearer(await page.signIn());
    const others = Object.keys(access).filter((route) => !onPage.includes(route));
    expect(others).toEqual(
      expect.arrayContaining([
        'POST /mcp',
        'POST /shutdown',
        'POST /dashboard',
        'POST /hooks/wait',
      ]),
    );
    for (const route of others) {
      const [method, path] = toRequest(route);
      const response = await page.ask(path, init(method, headers));
      expect([route, await told(response)]).toEqual([route, [404, 'route-not-found']]);
    }
    expect(server.shutdowns).toBe(0);
    // And every row of it is a route that there is.
    expect(onPage.filter((route) => !Object.hasOwn(access, route))).toEqual([]);
  });

  test('rules 51, 54: what is sent from the page has the standing of the user, and its history says from where', async () => {
    const server = new TestServer();
    await addRunning(server, 'worker');
    const page = new TestPage(server, { means: { env: { A: '1' }, umask: '0077' } });
    const headers = bearer(await page.signIn());
    // Whatever the browser adds is not heard.
    const more = { ...headers, 'signalbox-agent': 'worker', cookie: 'a=b' };
    const sent = await page.post('/api/messages', { to: 'worker', body: 'do it' }, more);
    expect(sent.status).toBe(201);
    const { id, standing } = await readJson(sent);
    expect(standing).toBe('prompt');
    const task = await page.post('/api/tasks', { to: 'worker', task: 'work', cwd: '/' }, headers);
    const { task: given } = await readJson(task);
    for (const one of [id, given]) {
      const story = await readJson(await page.ask(`/api/messages/${one}`, { headers }));
      expect(story.message.from).toMatchObject({ name: 'user' });
      expect(story.history[0]).toMatchObject({ to: 'queued', evidence: 'user, dashboard' });
    }
  });

  test('rule 54: a dead letter is listed, tried again and discarded from the page, and its history says from where', async () => {
    const server = new TestServer();
    const worker = await addRunning(server, 'worker');
    const page = new TestPage(server);
    const headers = bearer(await page.signIn());
    const sent = await server.post('/messages', { to: worker.id, body: 'lost' });
    const { id } = await readJson(sent);
    const dead = { from: 'queued', to: 'dead', at: 1, code: 'put-in', cause: 'test' } as const;
    const bury = () => server.ledger.write((tx) => tx.messages.move([id], dead));
    await bury();
    const list = async () => readJson(await page.ask('/api/dead-letters?max=5', { headers }));
    expect((await list()).messages).toMatchObject([{ id, state: 'dead' }]);
    const retried = await page.post(`/api/dead-letters/${id}/retry`, {}, headers);
    expect(await readJson(retried)).toMatchObject({ id, state: 'queued' });
    const story = await readJson(await page.ask(`/api/messages/${id}`, { headers }));
    expect(story.history.at(-1)).toMatchObject({ code: 'retried', evidence: 'user, dashboard' });
    await bury();
    expect((await page.post(`/api/dead-letters/${id}/discard`, {}, headers)).status).toBe(200);
    expect((await list()).messages).toEqual([]);
    const again = await page.post('/api/dead-letters/msg_none/retry', {}, headers);
    expect(await told(again)).toEqual([404, 'message-not-found']);
  });

  test('rule 54: an answer from the page is recorded as given there, whoever it says it is', async () => {
    const server = new TestServer();
    const worker = await addRunning(server, 'worker');
    const question = { id: 'qabcdef', asks: 'command', text: 'make' } as const;
    const decisions = ['allow', 'deny'] as const;
    server.fleet.asked = {
      ...{ questions: [{ ...question, decisions }], isBlind: false, isComing: false },
    };
    server.fleet.decided = { outcome: 'taken' };
    const page = new TestPage(server);
    const headers = bearer(await page.signIn());
    const path = `/api/agents/${worker.id}/questions/qabcdef`;
    const decided = await page.post(path, { decision: 'allow', who: 'root at tty1' }, headers);
    expect(decided.status).toBe(200);
    const [made] = await server.ledger.read((tx) => tx.answers.list(worker.id, 1));
    expect(made).toMatchObject({ decision: 'allow', place: 'dashboard' });
    expect(made?.who).toBeUndefined();
  });

  test('rule 40: a launch gets the environment of the command that asked for the page, and without one says what to do', async () => {
    const server = new TestServer();
    const page = new TestPage(server);
    const headers = bearer(await page.signIn());
    const wish = { provider: 'generic', cwd: '/' };
    const refused = await page.post('/api/agents', wish, headers);
    expect(await told(refused)).toEqual([409, 'no-environment']);
    expect(server.fleet.launches).toEqual([]);
    page.means = { env: { A: '1' }, umask: '0027' };
    const own = { ...wish, env: { A: '2', LD_PRELOAD: 'x' }, umask: '0000' };
    expect((await page.post('/api/agents', own, headers)).status).toBe(201);
    expect(server.fleet.launches).toMatchObject([{ callerEnv: { A: '1' }, callerUmask: 0o027 }]);
    expect(JSON.stringify(server.fleet.launches)).not.toContain('LD_PRELOAD');
  });
});

describe('what is served', () => {
  function built() {
    const folder = join(tempHome(), 'dashboard');
    mkdirSync(join(folder, 'assets'), { recursive: true });
    writeFileSync(join(folder, 'index.html'), '<!doctype html>page');
    writeFileSync(join(folder, 'assets', 'app-1a2b.js'), 'run()');
    writeFileSync(join(folder, 'assets', 'secret.pem'), 'no');
    writeFileSync(join(folder, '..', 'user.token'), 'usr_secret');
    return new TestPage(new TestServer(), { assets: loadAssets(folder) });
  }

  test('the page and its files, with headers that let nothing of other sites in or out', async () => {
    const page = built();
    const index = await page.ask('/');
    expect([index.status, await index.text()]).toEqual([200, '<!doctype html>page']);
    expect(Object.fromEntries(index.headers)).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy':
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'x-frame-options': 'DENY',
    });
    const script = await page.ask('/assets/app-1a2b.js');
    expect(script.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    expect(script.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    // Refusals and the API have them as well, and are kept by nobody.
    for (const path of ['/api/snapshot', '/nowhere']) {
      const { headers } = await page.ask(path);
      expect(headers.get('x-frame-options')).toBe('DENY');
      expect(headers.get('cache-control')).toBe('no-store');
    }
  });

  test.each([
    '/assets/../../user.token',
    '/assets/..%2f..%2fuser.token',
    '/assets/%2e%2e/%2e%2e/user.token',
    '/assets/..\\..\\user.token',
    '/../user.token',
    '//etc/passwd',
    '/assets/secret.pem',
    '/assets/',
    '/assets/app-1a2b.js/',
    '/assets/app-1a2b.js%00',
    '/index.html/../../user.token',
    '/%',
  ])('no path reaches the disk: %s', async (path) => {
    const response = await built().ask(path);
    expect(response.status).toBe(404);
    expect(await response.text()).not.toContain('secret\n');
  });

  test('a build without the page says so', async () => {
    const page = new TestPage(new TestServer(), { assets: loadAssets(join(tempHome(), 'none')) });
    const index = await page.ask('/');
    expect(index.status).toBe(503);
    expect(await index.text()).toMatch(/has no dashboard/);
  });
});
