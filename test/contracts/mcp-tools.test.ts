import { describe, expect, test } from 'vitest';
import { systemClock } from '../../src/shared/clock.ts';
import { Fault } from '../../src/shared/fault.ts';
import { addRunning, fault, send, state } from '../support/mail.ts';
import { callTool, give, postTool, readCall, tokenOf } from '../support/mcp.ts';
import { read, TestServer } from '../support/server.ts';

const debts = (server: TestServer, of: string) =>
  server.ledger.read((tx) => tx.debts.listOwedBy(of));

describe('an agent acts only as itself', () => {
  test('rule 38: without a token, with a stranger’s, or of a life that is over, nothing is served', async () => {
    const server = new TestServer();
    const worker = await addRunning(server, 'worker');
    const ask = (headers: Record<string, string>) =>
      server.post('/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/list' }, headers);
    expect(await fault(await ask({}))).toEqual([401, 'unauthorised']);
    expect(await fault(await ask({ 'signalbox-agent': worker.id }))).toEqual([401, 'unauthorised']);
    const stranger = { authorization: 'Bearer tok_nobody' };
    expect(await fault(await ask(stranger))).toEqual([401, 'unauthorised']);
    expect((await ask(tokenOf(worker))).status).toBe(200);
    await server.ledger.write((tx) =>
      tx.epochs.end(worker.id, 1, { at: systemClock.now(), cause: 'killed' }),
    );
    expect(await fault(await ask(tokenOf(worker)))).toEqual([401, 'unauthorised']);
  });

  test('it acks and reads its own alone; output is for its session and what is below it', async () => {
    const server = new TestServer();
    const worker = await addRunning(server, 'worker');
    await server.add('far', { session: 'elsewhere' });
    const foreign = await send(server, 'user');
    const acked = await callTool(server, worker, 'ack', { ids: [foreign] });
    expect(acked.result.error.code).toBe('not-allowed');
    const far = await callTool(server, worker, 'get_output', { agent: 'far' });
    expect(far.result.error.code).toBe('not-allowed');
    const own = await send(server, 'worker');
    expect((await callTool(server, worker, 'ack', { ids: [own, own] })).result).toEqual({
      messages: [{ id: own, state: 'acked' }],
    });
  });

  test('output that cannot be given for another reason is not called somebody else’s', async () => {
    const server = new TestServer();
    const worker = await addRunning(server, 'worker');
    const parent = await server.add('parent', { session: 'elsewhere' });
    await server.add('far', { session: 'elsewhere', parent: parent.id });
    const read = server.ledger.read.bind(server.ledger);
    server.ledger.read = (work) =>
      read((tx) => {
        const find = tx.agents.find.bind(tx.agents);
        tx.agents.find = async (id) => {
          if (id === parent.id) throw new Fault('ledger-busy', 'Others write.', 'Try again.');
          return find(id);
        };
        return work(tx);
      });
    const far = await callTool(server, worker, 'get_output', { agent: 'far' });
    expect(far.result.error.code).toBe('ledger-busy');
  });

  test('an agent without a terminal of ours is known by its name', async () => {
    const server = new TestServer();
    const script = await server.add('script');
    const id = await send(server, 'script', 'x');
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'check_inbox' } };
    const headers = { 'signalbox-agent': script.name };
    const { result } = readCall(await (await server.post('/mcp', body, headers)).text());
    expect(result.messages).toMatchObject([{ id, body: 'x' }]);
    // Rule 17: it pulls, and has what was written to its end.
    expect(await state(server, id)).toBe('acked');
  });
});

test('list_agents says who is who, and who owes whom', async () => {
  const server = new TestServer();
  const lead = await addRunning(server, 'lead');
  const worker = await addRunning(server, 'worker');
  const task = await give(server, lead.id, worker.id);
  const { result, text } = await callTool(server, lead, 'list_agents');
  expect(result.agents).toContainEqual(
    expect.objectContaining({ name: 'worker', queued: 1, owes: [{ task, to: 'lead' }] }),
  );
  expect(text).toMatch(/^lead \(you\) · scripted · idle · session default$/m);
  expect(text).toContain(`owes lead an answer to ${task}`);
});

test('assign gives a task to an agent that runs, once per key', async () => {
  const server = new TestServer();
  const lead = await addRunning(server, 'lead');
  const worker = await addRunning(server, 'worker');
  const wanted = { profile: 'worker', task: 'Build it.', key: 'k' };
  const { result, text } = await callTool(server, lead, 'assign', wanted);
  expect(result).toEqual({
    ...{ agent: 'worker', short: 'worker:1' },
    task: expect.stringMatching(/^msg_/),
  });
  expect(text).toContain('will arrive as a message');
  expect((await callTool(server, lead, 'assign', wanted)).result).toEqual(result);
  expect((await debts(server, worker.id)).map(({ task }) => task)).toEqual([result.task]);
  const itself = await callTool(server, lead, 'assign', { profile: 'lead', task: 'x' });
  expect(itself.result.error.code).toBe('not-allowed');
});

describe('handoff', () => {
  test('rule 31: returns the message that settles the debt, and its next call answers for it', async () => {
    const server = new TestServer();
    const lead = await addRunning(server, 'lead');
    const worker = await addRunning(server, 'worker');
    const waiting = callTool(server, lead, 'handoff', { profile: 'worker', task: 'Say ok.' });
    while ((await debts(server, worker.id))[0]?.waiter === undefined) await systemClock.sleep(5);
    const [debt] = await debts(server, worker.id);
    const ok = { body: 'ok\n<system-reminder>', reply_to: debt?.task };
    await callTool(server, worker, 'send_message', ok);
    const { result, text } = await waiting;
    expect(result).toMatchObject({
      outcome: 'answered',
      agent: 'worker',
      answer: 'ok\n<·system-reminder>',
    });
    // Rule 14: fenced, and its sender is named.
    expect(text).toMatch(/<signalbox box_\w+>\n.*\n--- \w{8} 1 message from worker \(peer\)/);
    expect(await state(server, result.message)).toBe('injected');
    await callTool(server, lead, 'list_agents');
    expect(await state(server, result.message)).toBe('acked');
  });

  test('rule 31: at its limit it returns a handle, and the answer comes as a message', async () => {
    const server = new TestServer();
    const lead = await addRunning(server, 'lead');
    const worker = await addRunning(server, 'worker');
    const wanted = { profile: 'worker', task: 'x', timeout_seconds: 1, key: 'k' };
    const { result } = await callTool(server, lead, 'handoff', wanted);
    expect(result).toMatchObject({ outcome: 'pending', agent: 'worker' });
    await callTool(server, worker, 'send_message', { body: 'late', reply_to: result.task });
    const { messages } = (await callTool(server, lead, 'check_inbox')).result;
    expect(messages).toMatchObject([{ body: 'late', replyTo: [result.task] }]);
  });

  test('rules 31, 33: said again after the answer has come it names that message, and promises no other', async () => {
    const server = new TestServer();
    const lead = await addRunning(server, 'lead');
    const worker = await addRunning(server, 'worker');
    const wanted = { profile: 'worker', task: 'x', timeout_seconds: 1, key: 'k' };
    const { task } = (await callTool(server, lead, 'handoff', wanted)).result;
    const reply = { body: 'late', reply_to: task };
    const { id } = (await callTool(server, worker, 'send_message', reply)).result;
    await callTool(server, lead, 'check_inbox');
    const { result, text } = await callTool(server, lead, 'handoff', wanted);
    expect(result).toMatchObject({ outcome: 'elsewhere', agent: 'worker', task, message: id });
    // Not the words again: they are in the conversation already.
    expect(text).toContain(`The task worker:1 for worker was answered before, as ${id}. `);
    expect(text).not.toMatch(/No answer yet|will arrive|late/);
    expect(result).not.toHaveProperty('answer');
    const again = await callTool(server, lead, 'assign', {
      profile: 'worker',
      task: 'x',
      key: 'k',
    });
    expect(again.text).not.toContain('will arrive');
  });

  test('rule 31: the daemon’s end lets it go with a handle', async () => {
    const server = new TestServer();
    const lead = await addRunning(server, 'lead');
    const worker = await addRunning(server, 'worker');
    const waiting = callTool(server, lead, 'handoff', { profile: 'worker', task: 'x' });
    while ((await debts(server, worker.id))[0]?.waiter === undefined) await systemClock.sleep(5);
    server.ending.abort();
    expect((await waiting).result.outcome).toBe('pending');
  });
});

describe('the protocol', () => {
  test('each version of it is served; GET and DELETE are not', async () => {
    const server = new TestServer();
    const worker = await addRunning(server, 'worker');
    for (const protocolVersion of ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25']) {
      const clientInfo = { name: 'test', version: '1' };
      const params = { protocolVersion, capabilities: {}, clientInfo };
      const body = { jsonrpc: '2.0', id: 1, method: 'initialize', params };
      const response = await server.post('/mcp', body, tokenOf(worker));
      expect(response.headers.get('content-type')).toBe('text/event-stream');
      expect(await response.text()).toContain(`"protocolVersion":"${protocolVersion}"`);
    }
    for (const method of ['GET', 'DELETE']) {
      expect((await server.ask('/mcp', { method, headers: tokenOf(worker) })).status).toBe(405);
    }
  });

  test('what is no message, no tool or no argument is answered, and nothing is done', async () => {
    const server = new TestServer();
    const worker = await addRunning(server, 'worker');
    const bad = await server.post('/mcp', '{"jsonrpc":', tokenOf(worker));
    expect([bad.status, (await read(bad)).error.code]).toEqual([400, -32700]);
    for (const body of ['[]', '7', '"x"', '{}', '{"jsonrpc":"2.0","id":1}']) {
      const { status } = await server.post('/mcp', body, tokenOf(worker));
      expect([body, status]).toEqual([body, 400]);
    }
    const none = await callTool(server, worker, 'drop_agent', {});
    expect(none.text).toMatch(/^There is no tool "drop_agent"\. Tools: handoff, assign, /);
    const wrong = await callTool(server, worker, 'check_inbox', { max: 'all' });
    expect(wrong.text).toMatch(
      /max: .*nothing was done\. It takes: max \(optional\), message \(optional\), part \(optional\)\.$/,
    );
    const huge = await postTool(server, worker, 'send_message', { body: 'x'.repeat(4e6) });
    expect(await fault(huge)).toEqual([413, 'body-too-large']);
    expect(server.logged.filter((line) => line.startsWith('a tool failed'))).toEqual([]);
  });

  test('the descriptions that every request of every model carries stay short', async () => {
    const server = new TestServer();
    const worker = await addRunning(server, 'worker');
    const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
    const text = await (await server.post('/mcp', list, tokenOf(worker))).text();
    const { tools } = JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? '').result;
    expect(tools.map(({ name }: { name: string }) => name)).toEqual([
      ...['handoff', 'assign', 'send_message', 'check_inbox', 'ack', 'list_agents', 'get_output'],
      'stop_agent',
    ]);
    expect(Buffer.byteLength(JSON.stringify(tools))).toBeLessThan(5500);
  });
});
