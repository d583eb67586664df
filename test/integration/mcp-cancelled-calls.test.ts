import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { describe, expect, onTestFinished, test } from 'vitest';
import { addRunning, send, state } from '../support/mail.ts';
import { callTool } from '../support/mcp.ts';
import { TestServer } from '../support/server.ts';
import { waitUntil } from '../support/wait-until.ts';
import { openLoopback } from './fixtures/loopback.ts';
import { RawClient } from './fixtures/raw-client.ts';

/** Calls over HTTP that their client wants no answer to any more, on real sockets. */

async function openTeam() {
  const server = new TestServer();
  const lead = await addRunning(server, 'lead');
  const worker = await addRunning(server, 'worker');
  const url = await openLoopback(server).open();
  const connect = (headers = {}, agent = 'lead') => new RawClient(url, agent, headers);
  /** The tasks that somebody waits for. */
  const waiting = async () => {
    const debts = await server.ledger.read((tx) => tx.debts.listOwedBy(worker.id));
    return debts.filter(({ waiter }) => waiter !== undefined).map(({ task }) => task);
  };
  const answer = (body: string, reply_to: string) =>
    callTool(server, worker, 'send_message', { body, reply_to });
  return { server, lead, worker, url, connect, waiting, answer };
}

type Team = Awaited<ReturnType<typeof openTeam>>;

const cancel = (requestId: unknown) => ({
  method: 'notifications/cancelled',
  params: { requestId, reason: 'the user does not want it any more' },
});

const handoff = { profile: 'worker', task: 'Say ok.' };

/** Begun, and waited for. */
async function begin(team: Team, client: RawClient, id: string | number): Promise<string> {
  const before = new Set(await team.waiting());
  client.call('handoff', handoff, id);
  client.read();
  return waitUntil('a wait for the answer', async () =>
    (await team.waiting()).find((one) => !before.has(one)),
  );
}

async function takeAll({ connect }: Team) {
  const client = connect();
  client.call('check_inbox');
  return (await client.answer()).result.messages;
}

describe('notifications/cancelled over HTTP', () => {
  test.each([7, 'seven'])(
    'rule 31: ends the open call of that id (%j), and its answer comes as a message',
    async (id) => {
      const team = await openTeam();
      const client = team.connect();
      const task = await begin(team, client, id);
      const other = team.connect();
      other.post(cancel(id));
      // Nothing more is said in the stream of a call that was cancelled.
      const { result } = await client.answer();
      expect(result).toBeUndefined();
      await waitUntil('nobody waits', async () => (await team.waiting()).length === 0);
      await team.answer('ok', task);
      expect(await takeAll(team)).toMatchObject([{ body: 'ok', replyTo: [task] }]);
    },
  );

  test('leaves alone whatever has another id, another agent or another session', async () => {
    const team = await openTeam();
    const client = team.connect({ 'mcp-session-id': 'one' });
    const task = await begin(team, client, 7);
    const others = [
      { by: team.connect({ 'mcp-session-id': 'one' }), id: '7' },
      { by: team.connect({ 'mcp-session-id': 'one' }), id: 8 },
      { by: team.connect({ 'mcp-session-id': 'one' }), id: { a: 1 } },
      { by: team.connect({ 'mcp-session-id': 'two' }), id: 7 },
      { by: team.connect(), id: 7 },
      { by: team.connect({ 'mcp-session-id': 'one' }, 'worker'), id: 7 },
    ];
    for (const { by, id } of others) {
      by.post(cancel(id));
      by.read();
      await waitUntil('its receipt', () => /^HTTP\/1.1 202 /.test(by.text));
    }
    await team.answer('ok', task);
    expect((await client.answer()).result).toMatchObject({ outcome: 'answered', answer: 'ok' });
  });

  test('rule 17: of two open calls with the same id none is cut short, and what both hand out is offered again, marked', async () => {
    const team = await openTeam();
    const [first, second] = [team.connect(), team.connect()];
    const tasks = [await begin(team, first, 7), await begin(team, second, 7)];
    const other = team.connect();
    other.post(cancel(7));
    other.read();
    await waitUntil('its receipt', () => /^HTTP\/1.1 202 /.test(other.text));
    for (const task of tasks) await team.answer(`to ${task}`, task);
    expect((await first.answer()).result).toMatchObject({ answer: `to ${tasks[0]}` });
    expect((await second.answer()).result).toMatchObject({ answer: `to ${tasks[1]}` });
    for (const client of [first, second]) {
      client.call('list_agents');
      await client.answer();
    }
    const again = await takeAll(team);
    expect(again).toMatchObject(
      tasks.map((task) => ({ body: `to ${task}`, replyTo: [task], repeat: true })),
    );
  });

  test('rules 17, 31: what the worker sent before its answer is offered again with it', async () => {
    const team = await openTeam();
    const client = team.connect();
    const task = await begin(team, client, 7);
    await callTool(team.server, team.worker, 'send_message', { body: 'begun', to: 'lead' });
    await team.answer('ok', task);
    const { reports, answer } = (await client.answer()).result;
    expect([reports.length, answer]).toEqual([1, 'ok']);
    await client.reset();
    await waitUntil('they are lost', () => team.server.delivery.looked.length > 0);
    const again = await takeAll(team);
    expect(again).toMatchObject([
      { body: 'begun', repeat: true },
      { body: 'ok', repeat: true },
    ]);
  });

  test('rule 17: a cancel that crosses the answer takes it back, and the next call on the connection offers it again', async () => {
    const team = await openTeam();
    const id = await send(team.server, 'lead', 'x');
    const client = team.connect();
    client.call('check_inbox', {}, 7);
    expect((await client.answer()).result.messages).toMatchObject([{ id }]);
    const other = team.connect();
    other.post(cancel(7));
    await waitUntil('it is lost', async () => (await state(team.server, id)) === 'uncertain');
    expect(team.server.delivery.looked).toContain(team.lead.id);
    client.call('check_inbox', {}, 8);
    expect((await client.answer()).result.messages).toMatchObject([{ id, repeat: true }]);
    client.call('list_agents', {}, 9);
    await client.answer();
    expect(await state(team.server, id)).toBe('acked');
    // Read and answered for: too late.
    other.post(cancel(8));
    client.call('check_inbox', {}, 10);
    expect((await client.answer()).result.messages).toEqual([]);
    expect(await state(team.server, id)).toBe('acked');
  });
});

describe('a cancel that overtakes its request', () => {
  test('rule 17: what that call hands out is offered again, marked, and no later call takes it', async () => {
    const team = await openTeam();
    const id = await send(team.server, 'lead', 'x');
    const named = { 'mcp-session-id': 'one' };
    const [client, other] = [team.connect(named), team.connect(named)];
    other.post(cancel(7));
    other.read();
    await waitUntil('its receipt', () => /^HTTP\/1.1 202 /.test(other.text));
    client.call('check_inbox', {}, 7);
    expect((await client.answer()).result.messages).toMatchObject([{ id }]);
    await waitUntil('it is lost', async () => (await state(team.server, id)) === 'uncertain');
    client.call('check_inbox', {}, 8);
    expect((await client.answer()).result.messages).toMatchObject([{ id, repeat: true }]);
    // One cancel is for one call.
    client.call('list_agents', {}, 7);
    await client.answer();
    expect(await state(team.server, id)).toBe('acked');
  });

  test('rules 17, 31: the answer that its handoff gets comes again as a message, marked', async () => {
    const team = await openTeam();
    const other = team.connect();
    other.post(cancel(7));
    other.read();
    await waitUntil('its receipt', () => /^HTTP\/1.1 202 /.test(other.text));
    const client = team.connect();
    const task = await begin(team, client, 7);
    await team.answer('ok', task);
    expect((await client.answer()).result).toMatchObject({ answer: 'ok' });
    client.call('list_agents', {}, 8);
    await client.answer();
    expect(await takeAll(team)).toMatchObject([{ body: 'ok', replyTo: [task], repeat: true }]);
  });
});

/** The protocol as it is spoken with a handshake, and as it is since 2026-07-28. */
const modes = [
  { version: '2025-11-25', mode: 'legacy' },
  { version: '2026-07-28', mode: 'auto' },
] as const;

const ways = [
  { how: 'an abort', give: (over: AbortSignal) => ({ signal: over }) },
  { how: 'its own time limit', give: () => ({ timeout: 1500 }) },
] as const;

describe.each(modes)('a client of the SDK, protocol $version', ({ mode }) => {
  test.each(ways)(
    'rules 17, 31: a handoff that ends with $how loses nothing: its answer comes as a message, once',
    async ({ give }) => {
      const team = await openTeam();
      const options = { versionNegotiation: { mode } };
      const client = new Client({ name: 'test', version: '1' }, options);
      onTestFinished(() => client.close());
      await client.connect(
        new StreamableHTTPClientTransport(new URL(team.url), {
          requestInit: { headers: { authorization: 'Bearer tok_lead' } },
        }),
      );
      const over = new AbortController();
      const call = client.callTool({ name: 'handoff', arguments: handoff }, give(over.signal));
      const failed = call.then(
        () => false,
        () => true,
      );
      const task = await waitUntil('a wait for the answer', async () => (await team.waiting())[0]);
      over.abort();
      expect(await failed).toBe(true);
      await waitUntil('nobody waits', async () => (await team.waiting()).length === 0);
      await team.answer('ok', task);
      const take = async () =>
        // biome-ignore lint/suspicious/noExplicitAny: a test looks at what it expects, and fails where it is not there
        ((await client.callTool({ name: 'check_inbox' })).structuredContent as any).messages;
      const got = await take();
      expect(got).toMatchObject([{ body: 'ok', replyTo: [task] }]);
      expect(got[0].repeat).toBeUndefined();
      await waitUntil('it is taken', async () => {
        expect(await take()).toEqual([]);
        return (await state(team.server, got[0].id)) === 'acked';
      });
    },
  );
});
