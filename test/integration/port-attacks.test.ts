import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { call, readText } from '../../src/client/socket/http.ts';
import { scriptedProvider } from '../../src/demo/scripted-provider.ts';
import { systemClock } from '../../src/shared/clock.ts';
import { readEnvironment } from '../../src/shared/process-tree.ts';
import { addRunning } from '../support/mail.ts';
import { TestServer } from '../support/server.ts';
import { waitUntil } from '../support/wait-until.ts';
import { openLoopback } from './fixtures/loopback.ts';
import { hasTmux, openStation } from './fixtures/station.ts';

/** A client that says what it likes, as it likes. */
interface Raw {
  readonly socket: Socket;
  readonly text: () => string;
  readonly closed: Promise<void>;
  readonly isOver: () => boolean;
}

function open(port: number, first = ''): Raw {
  const socket = connect(port, '127.0.0.1');
  let text = '';
  let isOver = false;
  const closed = new Promise<void>((done) => {
    socket.on('close', () => {
      isOver = true;
      done();
    });
  });
  socket
    .on('error', () => undefined)
    .on('data', (chunk) => {
      text += chunk.toString();
    });
  onTestFinished(() => void socket.destroy());
  if (first !== '') socket.write(first);
  return { socket, text: () => text, closed, isOver: () => isOver };
}

function head(port: number, more: readonly string[], path = '/mcp'): string {
  const lines = [`POST ${path} HTTP/1.1`, `host: 127.0.0.1:${port}`, ...more];
  return `${lines.join('\r\n')}\r\n\r\n`;
}

const list = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
const json = ['content-type: application/json', `content-length: ${list.length}`];
const wrong = 'authorization: Bearer tok_wrong';
const right = 'authorization: Bearer tok_worker';
const statusOf = (text: string) => Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1] ?? 0);

/** The port, with an agent `worker` that runs, and all that came through to the tools. */
async function openPort(strangersPerSecond?: number) {
  const server = new TestServer();
  const worker = await addRunning(server, 'worker');
  const passed: string[] = [];
  const fetch = server.fetch.bind(server);
  server.fetch = (request, carried) => {
    passed.push(request.url);
    return fetch(request, carried);
  };
  const wish = strangersPerSecond === undefined ? {} : { strangersPerSecond };
  const loopback = openLoopback(server, undefined, undefined, wish);
  const port = Number(new URL(await loopback.open()).port);
  return { server, worker, passed, port };
}

/** A call on a connection of its own. */
async function ask(port: number, token = right): Promise<number> {
  const raw = open(port, head(port, [token, ...json]) + list);
  await waitUntil('an answer', () => raw.isOver() || isWhole(raw));
  raw.socket.destroy();
  return statusOf(raw.text());
}

/** The SDK keeps the connection, whatever the request wants. */
const isWhole = ({ text }: Raw) => text().endsWith('\r\n0\r\n\r\n');

describe('strangers at the port', () => {
  test('120 bodies of 3 MB without a valid token are refused by their heads: none of them is taken, and the connection ends', async () => {
    const { port, passed } = await openPort();
    const size = 3_000_000;
    const body = Buffer.alloc(64 * 1024, 'x');
    const attempts = Array.from({ length: 120 }, async (_, i) => {
      const token = i % 2 === 0 ? [wrong] : [];
      const raw = open(port, head(port, [...token, `content-length: ${size}`]));
      let sent = 0;
      const pump = (): void => {
        while (sent < size && !raw.isOver()) {
          sent += body.length;
          if (!raw.socket.write(body)) return void raw.socket.once('drain', pump);
        }
      };
      pump();
      await raw.closed;
      return statusOf(raw.text());
    });
    const ended = await Promise.all(attempts);
    expect(passed).toEqual([]);
    // Those that were pushed out by the next, or went on sending, got no answer. On a busy machine
    // a head may come too late, which is refused, too.
    expect(ended.filter((status) => ![0, 401, 408].includes(status))).toEqual([]);
    expect(await ask(port)).toBe(200);
  });

  test.each([
    ['no token', [], '/mcp', 401],
    ['a wrong token', [wrong], '/mcp', 401],
    ['a wrong token, for another path', [wrong], '/shutdown', 401],
    ['another scheme', ['authorization: Basic dG9rX3dvcmtlcg=='], '/mcp', 401],
    ['a right token, for another path', [right], '/shutdown', 404],
    ['a right token, from a web page', [right, 'origin: http://127.0.0.1'], '/mcp', 403],
  ])(
    '%s: refused by the head, before a byte of the body, and the connection is closed',
    async (_, lines, path, status) => {
      const { port, passed } = await openPort();
      const raw = open(port, head(port, [...lines, 'content-length: 3000000'], path));
      await raw.closed;
      expect([statusOf(raw.text()), passed]).toEqual([status, []]);
      expect(raw.text()).toMatch(/\r\nconnection: close\r\n/);
    },
  );

  test('nobody is asked to go on (100-continue) who has no token; who has one is', async () => {
    const { port, passed } = await openPort();
    const wish = 'expect: 100-continue';
    const refused = open(port, head(port, [wrong, wish, 'content-length: 3000000']));
    await refused.closed;
    expect(refused.text()).toMatch(/^HTTP\/1\.1 401/);
    const asked = open(port, head(port, [right, wish, ...json]));
    await waitUntil('to be asked', () => asked.text().startsWith('HTTP/1.1 100'));
    asked.socket.write(list);
    await waitUntil('an answer', () => isWhole(asked));
    expect(asked.text()).toMatch(/HTTP\/1\.1 200/);
    expect(passed).toHaveLength(1);
  });

  test('a wish that nobody knows (expect) is no way past the gate: refused by the head, once, and the connection is closed', async () => {
    const { port, passed } = await openPort();
    const wish = 'expect: the-best';
    for (const lines of [[wish], [wish, wrong]]) {
      const raw = open(port, head(port, [...lines, 'content-length: 3000000']));
      await raw.closed;
      expect(raw.text()).toMatch(/^HTTP\/1\.1 401/);
      const many = open(port, head(port, [...lines, 'content-length: 0']).repeat(500));
      await many.closed;
      expect(many.text().split('HTTP/1.1').length).toBeLessThan(3);
    }
    const known = open(port, head(port, [wish, right, 'content-length: 3000000']));
    await known.closed;
    expect(known.text()).toMatch(/^HTTP\/1\.1 417/);
    expect(passed).toEqual([]);
  });

  test('the token of a life that is over is a wrong one, also on a connection that it was good for', async () => {
    const { port, server, worker } = await openPort();
    const raw = open(port, head(port, [right, ...json]) + list);
    await waitUntil('an answer', () => raw.text().includes('"result"'));
    const end = { at: systemClock.now(), cause: 'exited' };
    await server.ledger.write((tx) => tx.epochs.end(worker.id, 1, end));
    raw.socket.write(head(port, [right, ...json]) + list);
    await raw.closed;
    expect(raw.text()).toMatch(/HTTP\/1\.1 401/);
  });

  test('requests that a stranger sends in one go are not judged one by one', async () => {
    const { port, passed } = await openPort();
    const raw = open(port, head(port, [wrong, 'content-length: 0']).repeat(500));
    await raw.closed;
    expect(raw.text().split('HTTP/1.1').length).toBeLessThan(3);
    expect(passed).toEqual([]);
  });

  test('of connections that show no token few are kept, and for a short time; one that shows it is heard at once', {
    tags: ['full'],
  }, async () => {
    const { port } = await openPort();
    const idle = Array.from({ length: 300 }, (_, i) =>
      open(port, i % 2 === 0 ? '' : 'POST /mcp HTTP/1.1\r\nhost: '),
    );
    const kept = () => idle.filter(({ isOver }) => !isOver()).length;
    await waitUntil('the first to be pushed out', () => kept() <= 32);
    expect(await ask(port)).toBe(200);
    await waitUntil('the others to have had their time', () => kept() === 0);
    expect(await ask(port)).toBe(200);
  });

  test('beyond a rate wrong tokens are not looked up; a token that was good once still is', async () => {
    const { port, server } = await openPort(20);
    expect(await ask(port)).toBe(200);
    let looked = 0;
    const read = server.ledger.read.bind(server.ledger);
    server.ledger.read = (work) => {
      looked++;
      return read(work);
    };
    const statuses: number[] = [];
    while (!statuses.includes(429)) {
      const some = Array.from({ length: 8 }, () => open(port, head(port, [wrong])));
      await Promise.all(some.map(({ closed }) => closed));
      statuses.push(...some.map(({ text }) => statusOf(text())));
      if (statuses.length > 5000) throw new Error('never beyond the rate');
    }
    expect(looked).toBe(statuses.filter((status) => status === 401).length);
    expect(await ask(port)).toBe(200);
  });
});

describe.runIf(hasTmux)('the daemon under attack', () => {
  test('as many idle connections as there are descriptors make it deaf on neither listener', {
    tags: ['full'],
  }, async () => {
    const station = await openStation();
    mkdirSync(join(station.home, 'profiles'));
    writeFileSync(
      join(station.home, 'profiles', 'far.md'),
      `---\nname: far\ndescription: over HTTP\nprovider: ${scriptedProvider}\ntoolsOver: http\n---\nWork.\n`,
    );
    const wrapper = ['bash', '-c', 'ulimit -n 256; exec "$0" "$@"'];
    expect(await station.run(['up'], { wrapper })).toMatchObject({ code: 0 });
    expect((await station.run(['launch', 'far', '--name', 'worker'])).stderr).toBe('');
    const port = Number(readFileSync(join(station.home, 'mcp-port'), 'utf8'));
    const { pid } = await station.pane('worker');
    const token = readEnvironment(pid)?.['SIGNALBOX_TOKEN'];
    const flood = Array.from({ length: 400 }, () => open(port));
    await waitUntil('all of them to be there, or gone', () =>
      flood.every(({ socket, isOver }) => isOver() || !socket.connecting),
    );
    const { socket = '' } = station.daemon();
    for (let i = 0; i < 20; i++) {
      const wanted = { socket, method: 'GET', path: '/health' } as const;
      const answer = await call(wanted, AbortSignal.timeout(10_000));
      if (answer.outcome !== 'answered') throw new Error(answer.outcome);
      const { components } = JSON.parse(await readText(answer.response));
      expect(components.daemon.openFiles).toBeLessThan(200);
    }
    expect(await ask(port, `authorization: Bearer ${token}`)).toBe(200);
    expect(await station.ask('status', 'worker')).toMatchObject({ name: 'worker' });
  });
});
