import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { addRunning, send, state } from '../support/mail.ts';
import { TestServer } from '../support/server.ts';
import { waitUntil } from '../support/wait-until.ts';
import { openLoopback } from './fixtures/loopback.ts';
import { RawClient } from './fixtures/raw-client.ts';

/** Clients over HTTP that do not stay to the end, on real sockets. */

async function openTools() {
  const server = new TestServer();
  const worker = await addRunning(server, 'worker');
  const url = await openLoopback(server).open();
  const connect = (headers = {}) => new RawClient(url, 'worker', headers);
  return { server, worker, url, connect };
}

const ids = (messages: readonly { id: string }[]) => messages.map(({ id }) => id);

describe('a client that resets its connection', () => {
  test.each(['reset', 'close'] as const)(
    'rule 17: of 20 calls that end with a %s 5–20 ms later, unread, none is taken; all are offered again, marked',
    async (how) => {
      const { server, connect } = await openTools();
      const sent: string[] = [];
      for (let i = 0; i < 20; i++) {
        sent.push(await send(server, 'worker', `message ${i}`));
        const client = connect();
        client.call('check_inbox');
        await delay(5 + (i % 16));
        await client[how]();
      }
      const reader = connect();
      reader.call('check_inbox');
      const first = (await reader.answer()).result.messages;
      reader.call('check_inbox');
      const all = [...first, ...(await reader.answer()).result.messages];
      const final = await Promise.all(sent.map((id) => tries(server, id)));
      expect(ids(all).toSorted()).toEqual(sent.toSorted());
      // One that was cut off before anything was handed out had no try, and is a first copy.
      const marked = sent.filter((_, i) => (final[i] ?? 0) > 1);
      expect(all.filter(({ repeat }) => repeat).map(({ id }) => id)).toEqual(marked);
      expect(marked.length).toBeGreaterThan(10);
    },
  );

  test('rule 17: calls at the same time, each reset unread, are not taken by each other', async () => {
    const { server, connect } = await openTools();
    const sent: string[] = [];
    for (let i = 0; i < 20; i++) sent.push(await send(server, 'worker', `message ${i}`));
    const session = { 'mcp-session-id': 'one' };
    await Promise.all(
      sent.map(async (_, i) => {
        const client = connect(i % 2 === 0 ? session : {});
        client.call('check_inbox', { max: 1 });
        await delay(5 + i);
        await client.reset();
      }),
    );
    const seen = new Set<string>();
    await waitUntil('all of them, again', async () => {
      const reader = connect();
      reader.call('check_inbox');
      for (const { id } of (await reader.answer()).result.messages) seen.add(id);
      await reader.close();
      return seen.size === sent.length;
    });
    for (const id of sent) expect(await state(server, id)).not.toBe('acked');
  });

  test('rule 17: a reset after the last byte makes it uncertain, and no later call takes it', async () => {
    const { server, connect } = await openTools();
    const id = await send(server, 'worker', 'x');
    const client = connect();
    client.call('check_inbox');
    await waitUntil('it is written', async () => (await state(server, id)) === 'injected');
    await waitUntil('its end is noted', async () => (await handedOutAt(server, id)) !== undefined);
    await client.reset();
    await waitUntil('it is lost', async () => (await state(server, id)) === 'uncertain');
    const next = connect();
    next.call('list_agents');
    await next.answer();
    expect(await state(server, id)).toBe('uncertain');
    next.call('check_inbox');
    expect((await next.answer()).result.messages).toMatchObject([{ id, repeat: true }]);
    // The same connection: what it carried before was read.
    next.call('list_agents');
    await next.answer();
    expect(await state(server, id)).toBe('acked');
  });

  test('rules 13, 17: of a long message a part whose connection is reset is offered again, marked', async () => {
    const { server, connect } = await openTools();
    const id = await send(server, 'worker', 'line\n'.repeat(5000));
    const first = connect();
    first.call('check_inbox');
    expect((await first.answer()).result.messages).toMatchObject([{ id, part: { number: 1 } }]);
    first.call('check_inbox');
    expect((await first.answer()).result.messages).toMatchObject([{ id, part: { number: 2 } }]);
    await first.reset();
    const offered = await waitUntil('part 2 again', async () => {
      const second = connect();
      second.call('check_inbox', { message: id });
      const [{ part, repeat }] = (await second.answer()).result.messages;
      await second.close();
      return part.number === 2 && { part, repeat };
    });
    expect(offered).toMatchObject({ part: { number: 2 }, repeat: true });
  });
});

describe('a client that reads and goes away', () => {
  test('rule 17: what it took stays injected, and the next call by another connection offers it again, marked', async () => {
    const { server, connect } = await openTools();
    const id = await send(server, 'worker', 'x');
    const first = connect();
    first.call('check_inbox');
    await first.answer();
    await first.close();
    const second = connect();
    second.call('list_agents');
    await second.answer();
    expect(await state(server, id)).toBe('injected');
    expect(server.delivery.looked).toEqual([]);
    second.call('check_inbox');
    expect((await second.answer()).result.messages).toMatchObject([{ id, repeat: true }]);
  });

  test('rule 17: repeats keep back nothing that waits, and the inbox comes to an end', async () => {
    const { server, connect } = await openTools();
    for (let i = 0; i < 45; i++) await send(server, 'worker', `message ${i}`);
    const said: [number, number, number][] = [];
    for (let i = 0; i < 3; i++) {
      const client = connect();
      client.call('check_inbox');
      const { messages, remaining } = (await client.answer()).result;
      const repeats = messages.filter(({ repeat }: { repeat?: true }) => repeat).length;
      said.push([messages.length - repeats, repeats, remaining]);
      await client.close();
    }
    expect(said).toEqual([
      [30, 0, 15],
      [15, 15, 0],
      [0, 30, 0],
    ]);
  });

  test('rules 13, 17: of a long message it gets every part before any of them again, and it is not called read', async () => {
    const { server, connect } = await openTools();
    const id = await send(server, 'worker', 'line\n'.repeat(5000));
    const said: [number, boolean, number][] = [];
    for (let i = 0; i < 8; i++) {
      const client = connect();
      client.call('check_inbox');
      const { messages, remaining } = (await client.answer()).result;
      said.push([messages[0].part.number, messages[0].repeat ?? false, remaining]);
      await client.close();
    }
    expect(said).toEqual([
      ...[1, 2, 3, 4].map((number) => [number, false, number < 4 ? 1 : 0]),
      ...[1, 2, 3, 4].map((number) => [number, true, number < 4 ? 1 : 0]),
    ]);
    const last = connect();
    for (const _ of [1, 2]) {
      last.call('check_inbox');
      await last.answer();
    }
    // It has read parts 1 and 2 of the last round; nobody knows whether the others were.
    expect(await state(server, id)).toBe('injected');
  });

  test('rule 17: within an MCP session the next call takes it, over whichever connection', async () => {
    const { server, connect } = await openTools();
    const id = await send(server, 'worker', 'x');
    const other = connect({ 'mcp-session-id': 'two' });
    const first = connect({ 'mcp-session-id': 'one' });
    first.call('check_inbox');
    await first.answer();
    await first.close();
    other.call('list_agents');
    await other.answer();
    expect(await state(server, id)).toBe('injected');
    await waitUntil('a further call of the session', async () => {
      const second = connect({ 'mcp-session-id': 'one' });
      second.call('list_agents');
      await second.answer();
      return (await state(server, id)) === 'acked';
    });
  });

  test('rule 17: a call that the session sent beside the first one takes nothing, and offers nothing again', async () => {
    const { server, connect } = await openTools();
    const id = await send(server, 'worker', 'x');
    const [first, beside] = [connect(session), connect(session)];
    first.call('check_inbox');
    await first.answer();
    beside.call('check_inbox');
    expect((await beside.answer()).result.messages).toEqual([]);
    expect(await state(server, id)).toBe('injected');
    await first.reset();
    await waitUntil('it is lost', async () => (await state(server, id)) === 'uncertain');
  });
});

const session = { 'mcp-session-id': 'one' };

describe('a request that began before the answer was written', () => {
  test('rule 17: takes nothing, on the same connection', async () => {
    const { server, connect } = await openTools();
    const id = await send(server, 'worker', 'x');
    const client = connect();
    client.call('check_inbox', {}, 1);
    const goOn = client.beginCall('list_agents', {}, 2);
    await waitUntil('its end is noted', async () => (await handedOutAt(server, id)) !== undefined);
    goOn();
    await client.answer();
    await client.answer();
    expect(await state(server, id)).toBe('injected');
    client.call('list_agents', {}, 3);
    await client.answer();
    expect(await state(server, id)).toBe('acked');
  });

  test('rule 17: takes nothing, in the same session', async () => {
    const { server, connect } = await openTools();
    const id = await send(server, 'worker', 'x');
    const [first, beside] = [connect(session), connect(session)];
    const goOn = beside.beginCall('list_agents', {}, 2);
    // Another request of it shows that the first one has begun.
    const later = connect(session);
    later.call('list_agents', {}, 3);
    await later.answer();
    first.call('check_inbox', {}, 1);
    await first.answer();
    // From a second after the answer on, a further call shows that it was read.
    await delay(1100);
    goOn();
    await beside.answer();
    expect(await state(server, id)).toBe('injected');
    later.call('list_agents', {}, 4);
    await later.answer();
    expect(await state(server, id)).toBe('acked');
  });
});

test('a name for the session is given at its beginning, to clients over HTTP alone', async () => {
  const { server, connect } = await openTools();
  const client = connect();
  const clientInfo = { name: 'raw', version: '1' };
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
  client.post({ id: 1, method: 'initialize', params });
  await client.answer();
  expect(client.text).toMatch(/^mcp-session-id: session_\w{26}\r$/im);
  const next = connect();
  next.call('list_agents');
  await next.answer();
  expect(next.text).not.toMatch(/mcp-session-id/i);
  expect(server.logged).toEqual([]);
});

async function story(server: TestServer, id: string) {
  return (await server.ask(`/messages/${id}`)).json() as Promise<{
    message: { attempts: number };
    attempts: { handedOutAt?: string; number: number }[];
  }>;
}

const tries = async (server: TestServer, id: string) =>
  (await story(server, id)).attempts.at(-1)?.number;
const handedOutAt = async (server: TestServer, id: string) =>
  (await story(server, id)).attempts.at(-1)?.handedOutAt;
