import { describe, expect, test } from 'vitest';
import type { Agent } from '../../src/agents/agent.ts';
import { headers } from '../../src/protocol/daemon.ts';
import { addRunning, send, state } from '../support/mail.ts';
import { type Called, callTool, postTool, readCall } from '../support/mcp.ts';
import { StreamReader, TestServer } from '../support/server.ts';

/** Long enough for eight parts, and no two of its lines are the same. */
const long = (name: string, lines = 1200): string =>
  Array.from({ length: lines }, (_, i) => `${name} line ${i} ${'ü€😀'.repeat(4)}\n`).join('');

/** Reads an inbox as a model without a shell does: it calls again while something remains. */
async function readAll(server: TestServer, agent: Agent, mostCalls = 300): Promise<Called[]> {
  const calls: Called[] = [];
  for (let more = true; more && calls.length < mostCalls; ) {
    const called = await callTool(server, agent, 'check_inbox');
    calls.push(called);
    more = called.result.remaining > 0;
  }
  return calls;
}

// biome-ignore lint/suspicious/noExplicitAny: a test looks at what it expects, and fails where it is not there
const shownOf = (calls: readonly Called[]): any[] => calls.flatMap(({ result }) => result.messages);
const textOf = (calls: readonly Called[], id: string): string =>
  shownOf(calls)
    .filter((shown) => shown.id === id)
    .map(({ body }) => body)
    .join('');

/** Takes like the stdio proxy, up to the result: nothing has been confirmed yet. */
async function take(server: TestServer, agent: Agent, args: object = {}) {
  const confirming = { [headers.handOver]: 'confirmed' };
  const stream = new StreamReader(await postTool(server, agent, 'check_inbox', args, confirming));
  const event = (await stream.next()) ?? '';
  const [, id = ''] = /"signalbox\/hand-over":"(\w+)"/.exec(event) ?? [];
  return { stream, confirm: () => server.post(`/hand-overs/${id}`, {}), ...readCall(event) };
}

describe('check_inbox and messages longer than one call', () => {
  test('rule 17: each call hands out the next part, and what is behind it is not starved', async () => {
    const server = new TestServer();
    const worker = await addRunning(server, 'worker');
    const body = long('a');
    const first = await send(server, 'worker', body);
    const short = await send(server, 'worker', 'behind it');
    const second = await send(server, 'worker', long('b', 700));
    const last = await send(server, 'worker', 'the last');
    const calls = await readAll(server, worker);
    const shown = shownOf(calls);
    expect(textOf(calls, first)).toBe(body);
    expect(textOf(calls, second)).toBe(long('b', 700));
    const numbers = shown.filter(({ id }) => id === first).map(({ part }) => part.number);
    expect(numbers).toEqual(numbers.map((_, i) => i + 1));
    expect(calls[0]?.result.messages.map(({ id }: { id: string }) => id)).toEqual([first, short]);
    const firstOf = (id: string) => shown.findIndex((one) => one.id === id);
    // First offers keep the order of commit (rule 15).
    expect(firstOf(second)).toBeGreaterThan(firstOf(short));
    expect(firstOf(last)).toBeGreaterThan(firstOf(second));
    expect(shown.some(({ repeat }) => repeat)).toBe(false);
    for (const { text } of calls) expect(Buffer.byteLength(text)).toBeLessThan(16 * 1024);
    await callTool(server, worker, 'list_agents');
    for (const id of [first, short, second, last]) expect(await state(server, id)).toBe('acked');
  });

  test('rule 13: a message of which some parts were handed out is not read', async () => {
    const server = new TestServer();
    const worker = await addRunning(server, 'worker');
    const id = await send(server, 'worker', long('a', 400));
    const { result } = await callTool(server, worker, 'check_inbox');
    const { of } = result.messages[0].part;
    for (let part = 2; part <= of; part++) {
      expect(await state(server, id)).toBe('injected');
      await callTool(server, worker, 'check_inbox');
    }
    expect(await state(server, id)).toBe('injected');
    await callTool(server, worker, 'list_agents');
    expect(await state(server, id)).toBe('acked');
  });

  test('a part is addressed: given again it moves nothing, and out of turn it is not given twice', async () => {
    const server = new TestServer();
    const worker = await addRunning(server, 'worker');
    const message = await send(server, 'worker', long('a', 600));
    const part = async (args: object) =>
      (await callTool(server, worker, 'check_inbox', args)).result.messages[0];
    const first = await part({});
    expect(first.part).toMatchObject({ number: 1 });
    const { of } = first.part;
    expect(await part({ message, part: 1 })).toMatchObject({ body: first.body, repeat: true });
    expect((await part({ message, part: 3 })).part.number).toBe(3);
    expect((await part({ message })).part.number).toBe(2);
    expect((await part({})).part.number).toBe(4);
    for (let n = 5; n <= of; n++) expect((await part({})).part.number).toBe(n);
    expect(await part({})).toBeUndefined();
    expect(await state(server, message)).toBe('acked');
    // What is read stays readable.
    expect(await part({ message, part: 2 })).toMatchObject({ part: { number: 2, of } });
    const refused = await callTool(server, worker, 'check_inbox', { message, part: of + 1 });
    expect(refused.text).toContain(`has ${of} parts`);
    const strange = await send(server, 'user', 'not yours');
    expect(
      (await callTool(server, worker, 'check_inbox', { message: strange })).result,
    ).toHaveProperty('error');
  });

  test('rules 16, 17: a call that is cancelled leaves its part uncertain: it alone is offered again, marked', async () => {
    const server = new TestServer();
    const worker = await addRunning(server, 'worker');
    const id = await send(server, 'worker', long('a', 600));
    const first = await callTool(server, worker, 'check_inbox');
    const lost = await take(server, worker);
    expect(lost.result.messages[0].part.number).toBe(2);
    await lost.stream.cancel();
    const again = await callTool(server, worker, 'check_inbox');
    expect(again.result.messages).toMatchObject([
      { id, part: { number: 2 }, repeat: true, body: lost.result.messages[0].body },
    ]);
    const rest = await readAll(server, worker);
    expect(shownOf(rest).some(({ repeat }) => repeat)).toBe(false);
    expect(textOf([first, again, ...rest], id)).toBe(long('a', 600));
  });

  test('rules 10, 16: the first part lost, the message is uncertain, and only that part says so', async () => {
    const server = new TestServer();
    const worker = await addRunning(server, 'worker');
    const id = await send(server, 'worker', long('a', 600));
    const lost = await take(server, worker);
    await lost.stream.cancel();
    expect(await state(server, id)).toBe('uncertain');
    const calls = await readAll(server, worker);
    expect(textOf(calls, id)).toBe(long('a', 600));
    expect(shownOf(calls).map(({ repeat }) => repeat === true)).toEqual(
      shownOf(calls).map((_, i) => i === 0),
    );
  });

  test('rule 18: calls at the same time partition: no part is given to both', async () => {
    const server = new TestServer();
    const worker = await addRunning(server, 'worker');
    await send(server, 'worker', long('a', 1200));
    const other = await send(server, 'worker', 'short');
    // The first claim is not confirmed: nobody else touches what it holds.
    const first = await take(server, worker, { max: 1 });
    const beside = await take(server, worker);
    expect(beside.result.messages).toMatchObject([{ id: other }]);
    await first.confirm();
    await beside.confirm();
    const both = await Promise.all([take(server, worker), take(server, worker)]);
    const numbers = both.map(({ result }) => result.messages[0].part.number);
    expect(numbers.toSorted()).toEqual([2, 3]);
    for (const { confirm } of both) await confirm();
    const rest = await readAll(server, worker);
    expect(shownOf(rest)[0].part.number).toBe(4);
    expect(shownOf(rest).some(({ repeat }) => repeat)).toBe(false);
  });

  test('an agent without a terminal reads every part, and it is acked with the last', async () => {
    const server = new TestServer();
    const script = await server.add('script');
    const body = long('s', 500);
    const id = await send(server, 'script', body);
    const call = async () => {
      const headersOf = { 'signalbox-agent': script.id };
      const request = { jsonrpc: '2.0', id: 1, method: 'tools/call' };
      const params = { name: 'check_inbox', arguments: {} };
      const response = await server.post('/mcp', { ...request, params }, headersOf);
      return readCall(await response.text());
    };
    const calls: Called[] = [];
    do {
      if (calls.length > 0) expect(await state(server, id)).toBe('injected');
      calls.push(await call());
    } while (calls.at(-1)?.result.remaining > 0 && calls.length < 50);
    expect(calls.length).toBeGreaterThan(2);
    expect(textOf(calls, id)).toBe(body);
    expect(await state(server, id)).toBe('acked');
  });

  test('a body of 1 MB with characters of every width comes whole, one part after another', {
    tags: ['full'],
  }, async () => {
    const server = new TestServer();
    const worker = await addRunning(server, 'worker');
    // One line: every cut is inside it, and would be inside a character if it were made by bytes
    // alone.
    const body = `x${'€😀ü'.repeat(116_000)}`;
    const id = await send(server, 'worker', body);
    const calls = await readAll(server, worker);
    expect(textOf(calls, id) === body).toBe(true);
    expect(calls.length).toBeGreaterThan(100);
  });
});
