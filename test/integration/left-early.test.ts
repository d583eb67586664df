import { request as httpRequest } from 'node:http';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type Fetch, listen } from '../../src/daemon/listen.ts';
import { tempHome } from '../support/home.ts';
import { addRunning, send, state } from '../support/mail.ts';
import { tokenOf } from '../support/mcp.ts';
import { TestServer } from '../support/server.ts';
import { waitUntil } from '../support/wait-until.ts';

/**
 * Clients that have gone before the daemon comes to answer them, as they do while it waits for the
 * ledger.
 */

const streams = ['/agents/worker/stream', '/events'];

test.each(streams)(
  'of 140 clients that leave before the daemon looks at their wish for %s none keeps a place',
  async (path) => {
    const { server, leave, ask } = await openHeld('before');
    await server.add('worker');
    await leave(Array.from({ length: 140 }, () => ({ path })));
    await waitUntil('all of them to be forgotten', () => server.bus.subscribers === 0);
    expect(server.fleet.followers.size).toBe(0);
    for (const other of streams) expect([other, await ask({ path: other })]).toEqual([other, 200]);
  },
);

test('rule 16: an inbox whose reader left before the answer began was not handed out, and is offered again', async () => {
  const { server, leave } = await openHeld('after');
  await server.add('worker');
  const id = await send(server, 'worker', 'not to be lost');
  await leave([{ path: '/agents/worker/inbox/check', method: 'POST', body: {} }]);
  await waitUntil('its end', async () => (await state(server, id)) !== 'injected');
  expect(await state(server, id)).toBe('uncertain');
});

test('rule 31: a handoff whose client left before it began waits for no answer', async () => {
  const server = new TestServer();
  const lead = await addRunning(server, 'lead');
  const worker = await addRunning(server, 'worker');
  const params = { name: 'handoff', arguments: { profile: 'worker', task: 'work' } };
  const response = await server.ask('/mcp', {
    method: 'POST',
    headers: {
      ...tokenOf(lead),
      'content-type': 'application/json',
      'signalbox-hand-over': 'confirmed',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
    signal: AbortSignal.abort(),
  });
  // Its end: with a client that is there it comes with the answer to the task.
  expect(await response.text()).toBe('');
  const debts = await server.ledger.read((tx) => tx.debts.listOwedBy(worker.id));
  expect(debts.filter(({ waiter }) => waiter)).toEqual([]);
  expect(server.bus.subscribers).toBe(0);
});

interface Asked {
  readonly path: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: object;
}

/**
 * A server on a real socket that holds each request, before or after its work, until those who
 * asked have gone.
 */
async function openHeld(when: 'before' | 'after') {
  const server = new TestServer();
  let isHeld = false;
  let under = 0;
  let release: (() => void) | undefined;
  let held: Promise<void> = Promise.resolve();
  const gone: Promise<void>[] = [];
  const hold = async (signal: AbortSignal): Promise<void> => {
    if (!isHeld) return;
    under++;
    gone.push(new Promise((done) => signal.addEventListener('abort', () => done())));
    await held;
  };
  const fetch: Fetch = async (request, carried) => {
    const { signal } = request;
    if (when === 'before') await hold(signal);
    const response = await server.fetch(request, carried);
    if (when === 'after') await hold(signal);
    under = Math.max(0, under - 1);
    return response;
  };
  const socketPath = join(tempHome(), 'daemon.sock');
  const listener = await listen(socketPath, fetch);
  onTestFinished(() => listener.close(0));
  const open = ({ path, method = 'GET', headers = {}, body }: Asked) => {
    const type = body ? { 'content-type': 'application/json' } : {};
    const all = { ...type, ...headers };
    const asked = httpRequest({ socketPath, path, method, headers: all, agent: false });
    asked.on('error', () => undefined).end(body && JSON.stringify(body));
    return asked;
  };
  return {
    server,
    /** All of them ask, go away, and only then is their work done, or its outcome sent. */
    leave: async (wanted: readonly Asked[]): Promise<void> => {
      isHeld = true;
      held = new Promise((done) => {
        release = done;
      });
      const asked = wanted.map(open);
      await waitUntil('all of them to be held', () => under === wanted.length);
      for (const one of asked) one.destroy();
      await Promise.all(gone);
      isHeld = false;
      release?.();
      await waitUntil('all of them to be dealt with', () => under === 0);
    },
    /** The status of an answer whose body nobody waits for. */
    ask: (wanted: Asked) =>
      new Promise<number>((resolve, reject) => {
        const asked = open(wanted).on('error', reject);
        asked.on('response', (response) => {
          resolve(response.statusCode ?? 0);
          response.on('error', () => undefined);
          asked.destroy();
        });
      }),
  };
}
