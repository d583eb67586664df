import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { SignedIn } from '../../src/protocol/page.ts';
import type { Clock } from '../../src/shared/clock.ts';
import { ManualClock } from '../fakes/manual-clock.ts';
import { addRunning } from '../support/mail.ts';
import { bearer, newNonce, proofOf } from '../support/page.ts';
import { TestServer } from '../support/server.ts';
import { waitUntil } from '../support/wait-until.ts';
import { openPagePort } from './fixtures/page-port.ts';

/** One request as it stands, on a connection of its own; all that came back. */
async function say(port: number, lines: readonly string[], body = ''): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  let text = '';
  let isOver = false;
  socket
    .on('error', () => undefined)
    .on('data', (chunk) => {
      text += chunk.toString();
    })
    .on('close', () => {
      isOver = true;
    });
  const length = body === '' ? [] : [`content-length: ${Buffer.byteLength(body)}`];
  socket.write(`${[...lines, ...length, 'connection: close'].join('\r\n')}\r\n\r\n${body}`);
  await waitUntil('the end of the answer', () => isOver);
  return text;
}

const statusOf = (text: string) => Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1] ?? 0);

/** As the page does it. */
async function signIn(origin: string, link: string): Promise<SignedIn> {
  const response = await fetch(`${origin}/page/sign-in`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin },
    body: JSON.stringify({ link, nonce: newNonce() }),
  });
  expect(response.status).toBe(200);
  return (await response.json()) as SignedIn;
}

async function snapshot(origin: string, signedIn: SignedIn): Promise<number> {
  return (await fetch(`${origin}/api/snapshot`, { headers: bearer(signedIn) })).status;
}

/** Somebody is signed in, and an attacker knows all of the session but its key. */
async function openSigned(clock?: Clock) {
  const server = new TestServer();
  await addRunning(server, 'worker');
  const made = await openPagePort(server, clock ? { clock } : {});
  const { origin, port, link } = await made.open();
  const signedIn = await signIn(origin, link);
  return { server, ...made, origin, tcp: port, link, signedIn };
}

describe('rule 54: web pages of others', () => {
  test('the page itself signs in and looks, by its own origin and by a forwarded port', async () => {
    const { origin, tcp, signedIn, open } = await openSigned();
    expect(await snapshot(origin, signedIn)).toBe(200);
    const { link } = await open();
    const body = JSON.stringify({ link, nonce: newNonce() });
    const forwarded = ['host: localhost:4100', 'origin: http://localhost:4100'];
    const type = 'content-type: application/json';
    const text = await say(tcp, ['POST /page/sign-in HTTP/1.1', ...forwarded, type], body);
    expect(statusOf(text)).toBe(200);
  });

  test.each([
    ['a name rebound to 127.0.0.1', 'evil.example', []],
    ['such a name with our port', 'evil.example:80', []],
    ['a name that begins like ours', '127.0.0.1.evil.example', []],
    ['a name that ends like ours', 'evil.localhost.example', []],
    ['another address of this machine', '192.168.1.2', []],
    ['no name', '', []],
    ['our name, asked by another site', '127.0.0.1:80', ['origin: http://evil.example']],
    ['our name, asked by another port', '127.0.0.1:80', ['origin: http://127.0.0.1:81']],
    ['our name over TLS', '127.0.0.1:80', ['origin: https://127.0.0.1:80']],
    ['our name, by an opaque origin', '127.0.0.1:80', ['origin: null']],
    ['our name, by the site of another port', '127.0.0.1:80', ['sec-fetch-site: same-site']],
    ['our name, across sites', '127.0.0.1:80', ['sec-fetch-site: cross-site']],
  ])('%s learns nothing and changes nothing', async (_, host, more) => {
    const { server, tcp, open, signedIn } = await openSigned();
    const { link } = await open();
    const before = await server.ledger.read((tx) => tx.changes.newest());
    const auth = `authorization: ${bearer(signedIn).authorization}`;
    const head = [`host: ${host}`, ...more, 'content-type: application/json'];
    const attempts = [
      await say(tcp, ['GET /api/snapshot HTTP/1.1', ...head, auth]),
      await say(tcp, ['GET /api/feed?after=0 HTTP/1.1', ...head, auth]),
      await say(tcp, ['POST /api/messages HTTP/1.1', ...head, auth], '{"to":"worker","body":"x"}'),
      await say(
        tcp,
        ['POST /page/sign-in HTTP/1.1', ...head],
        JSON.stringify({ link, nonce: newNonce() }),
      ),
    ];
    for (const text of attempts) {
      expect(statusOf(text)).toBe(403);
      expect(text).not.toContain('worker');
      expect(text).not.toMatch(/access-control-allow/i);
    }
    expect(await server.ledger.read((tx) => tx.changes.newest())).toBe(before);
    // The link is still good: nobody has spent it.
    expect((await signIn(`http://127.0.0.1:${tcp}`, link)).readOnly).toBe(false);
  });

  test('a form of another site, a preflight and other methods are refused by the head', async () => {
    const { server, tcp, signedIn } = await openSigned();
    const host = `host: 127.0.0.1:${tcp}`;
    const own = `origin: http://127.0.0.1:${tcp}`;
    const auth = `authorization: ${bearer(signedIn).authorization}`;
    const form = 'content-type: application/x-www-form-urlencoded';
    const post = 'POST /api/messages HTTP/1.1';
    const body = 'to=worker&body=x';
    const before = await server.ledger.read((tx) => tx.changes.newest());
    const told = [
      await say(tcp, [post, host, 'origin: http://evil.example', form], body),
      // A browser leaves Origin out of no form that changes something: whoever does is no page.
      await say(tcp, [post, host, auth, form], body),
      await say(tcp, [post, host, own, auth, form], body),
      await say(tcp, [post, host, own, auth, 'content-type: text/plain'], '{"to":"worker"}'),
      await say(tcp, ['OPTIONS /api/messages HTTP/1.1', host, own]),
      await say(tcp, ['PUT /api/messages HTTP/1.1', host, own, auth], '{}'),
      await say(tcp, ['HEAD / HTTP/1.1', host, own]),
    ];
    expect(told.map(statusOf)).toEqual([403, 403, 415, 415, 405, 405, 405]);
    expect(await server.ledger.read((tx) => tx.changes.newest())).toBe(before);
  });

  test('a WebSocket of another site, or to anywhere else, is refused and its connection closed', async () => {
    const { tcp, signedIn } = await openSigned();
    const upgrade = ['upgrade: websocket', 'connection: upgrade', 'sec-websocket-version: 13'];
    const key = 'sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==';
    const auth = `authorization: ${bearer(signedIn).authorization}`;
    const host = `host: 127.0.0.1:${tcp}`;
    const own = `origin: http://127.0.0.1:${tcp}`;
    const head = (path: string, ...more: string[]) => [
      ...[`GET ${path} HTTP/1.1`, ...upgrade, key, auth, ...more],
    ];
    for (const [expected, lines] of [
      [403, head('/page/terminal', host, 'origin: http://evil.example')],
      [403, head('/page/terminal', host)],
      [403, head('/page/terminal', 'host: evil.example', 'origin: http://evil.example')],
      [400, head('/api/feed?after=0', host, own)],
      [400, head('/', host, own)],
    ] as const) {
      expect([lines, statusOf(await say(tcp, lines))]).toEqual([lines, expected]);
    }
  });

  test('what a refused request was asked with is not read, and the page is not shown in a frame', async () => {
    const { tcp } = await openSigned();
    const huge = ['POST /page/sign-in HTTP/1.1', 'host: evil.example', 'content-length: 90000000'];
    expect(statusOf(await say(tcp, huge))).toBe(403);
    const text = await say(tcp, ['GET / HTTP/1.1', `host: 127.0.0.1:${tcp}`]);
    expect(text).toMatch(/frame-ancestors 'none'/);
    expect(text).toMatch(/x-frame-options: DENY/i);
  });
});

describe('rule 54: other programs of this machine', () => {
  test('it listens on loopback alone, and its sessions lie in a file for its owner alone', async () => {
    const { home, signedIn, logged } = await openSigned();
    const path = join(home, 'page.json');
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(JSON.parse(readFileSync(path, 'utf8')).sessions).toMatchObject([
      { id: signedIn.session, key: signedIn.key },
    ]);
    expect(logged.join('\n')).not.toContain(signedIn.key);
    expect(logged[0]).toMatch(/http:\/\/127\.0\.0\.1:/);
  });

  test('a daemon that follows knows the session, on the same port', async () => {
    const { server, home, port, origin, signedIn } = await openSigned();
    await port.close();
    await openPagePort(server, { home });
    const nonce = newNonce();
    const proven = await fetch(`${origin}/page/prove`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin },
      body: JSON.stringify({ session: signedIn.session, nonce }),
    });
    expect(await proven.json()).toEqual({ proof: proofOf(signedIn.key, nonce) });
    expect(await snapshot(origin, signedIn)).toBe(200);
  });

  test('a stranger that takes the port meanwhile can prove nothing, and ends the sessions that may have been shown to it', async () => {
    const { server, home, port, origin, tcp, signedIn } = await openSigned();
    await port.close();
    const heard: string[] = [];
    const stranger = createServer((request, response) => {
      request.on('data', (chunk: Buffer) => heard.push(chunk.toString()));
      request.on('end', () => response.end(JSON.stringify({ proof: 'a'.repeat(64) })));
    });
    await new Promise<void>((done) => stranger.listen(tcp, '127.0.0.1', done));
    onTestFinished(() => void stranger.close());
    // What the page sends before it believes: its session's name and a nonce. No key.
    const nonce = newNonce();
    const headers = { 'content-type': 'application/json', origin };
    const body = JSON.stringify({ session: signedIn.session, nonce });
    const answer = await fetch(`${origin}/page/prove`, { method: 'POST', headers, body });
    expect(((await answer.json()) as { proof: string }).proof).not.toBe(
      proofOf(signedIn.key, nonce),
    );
    expect(heard.join('')).not.toContain(signedIn.key);
    const { open, logged } = await openPagePort(server, { home });
    expect(logged.join('\n')).toMatch(/cannot be had again/);
    const next = await open();
    expect(next.port).not.toBe(tcp);
    expect(await snapshot(next.origin, signedIn)).toBe(401);
    expect(JSON.parse(readFileSync(join(home, 'page.json'), 'utf8')).sessions).toEqual([]);
  });

  test('a stranger cannot use up the port: requests without a session are few, those with one go through', async () => {
    // However long it takes: no second passes.
    const { origin, signedIn } = await openSigned(new ManualClock());
    const flood = await Promise.all(
      Array.from({ length: 400 }, () =>
        fetch(`${origin}/page/prove`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', origin },
          body: JSON.stringify({ session: 'page_x', nonce: newNonce() }),
        }).then(
          ({ status }) => status,
          () => 0,
        ),
      ),
    );
    expect(flood.filter((status) => ![0, 410, 429].includes(status))).toEqual([]);
    expect(flood).toContain(429);
    expect(await snapshot(origin, signedIn)).toBe(200);
  });
});

test('a build without the page says so with the link, and one with it does not', async () => {
  const { open, home, port } = await openPagePort(new TestServer());
  expect((await open()).missing).toBe(true);
  await port.close();
  mkdirSync(join(home, 'dashboard'));
  writeFileSync(join(home, 'dashboard', 'index.html'), '<!doctype html>');
  const built = await openPagePort(new TestServer(), { home });
  const view = await built.open();
  expect(view.missing).toBeUndefined();
  expect(await (await fetch(view.origin)).text()).toBe('<!doctype html>');
});

test('nobody is signed in for an hour: the port is closed, and opened again when it is asked for', async () => {
  const clock = new ManualClock();
  const server = new TestServer();
  const { open, logged } = await openPagePort(server, { clock });
  const { origin, link } = await open();
  const signedIn = await signIn(origin, link);
  await clock.pass(3_600_001);
  await waitUntil('its end', () => logged.some((line) => line.includes('no longer served')));
  await expect(fetch(origin)).rejects.toThrow();
  const again = await open();
  expect(again.origin).toBe(origin);
  expect(await snapshot(origin, signedIn)).toBe(401);
});
