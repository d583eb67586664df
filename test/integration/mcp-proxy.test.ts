import { describe, expect, test } from 'vitest';
import { program } from '../support/cli.ts';
import { openDaemonBox } from '../support/daemon.ts';
import { waitUntil } from '../support/wait-until.ts';
import { type Answer, startProxy } from './fixtures/proxy.ts';

/** An agent without a terminal, and the environment of a proxy for it. */
async function openBox() {
  const box = openDaemonBox();
  await box.run(['up']);
  await box.run(['agents', 'add', 'script']);
  return { box, env: { SIGNALBOX_HOME: box.home, SIGNALBOX_AGENT: 'script' } };
}

const hello = {
  protocolVersion: '2025-06-18',
  capabilities: {},
  clientInfo: { name: 'test', version: '1' },
};
const textOf = ({ content }: Answer): string => content[0].text;

describe('the stdio proxy', () => {
  test('`signalbox mcp` is the same program', async () => {
    const { env } = await openBox();
    const proxy = startProxy(env, { args: [program, 'mcp'] });
    const { result } = await proxy.ask('initialize', hello);
    expect(result).toMatchObject({
      protocolVersion: '2025-06-18',
      serverInfo: { name: 'signalbox' },
      instructions: expect.stringContaining('"script"'),
    });
    proxy.endInput();
    expect(await proxy.ended).toBe(0);
  });

  test('lines that are no messages are answered, notifications are not, and it goes on', {
    tags: ['full'],
  }, async () => {
    const { env } = await openBox();
    const proxy = startProxy(env);
    proxy.write('{"jsonrpc":"2.0","id":');
    proxy.write('7');
    proxy.write('');
    proxy.write('{"jsonrpc":"2.0","id":"x"}');
    proxy.write('{"jsonrpc":"2.0","method":"notifications/initialized"}');
    proxy.write('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":99}}');
    proxy.write('{"jsonrpc":"2.0","id":5,"result":{}}');
    proxy.write('{"jsonrpc":"2.0","id":"p","method":"ping"}');
    expect((await proxy.ask('no/such/method')).error.code).toBe(-32601);
    expect(proxy.lines().map(({ id, error }) => [id, error?.code])).toEqual([
      [null, -32700],
      [null, -32600],
      ['x', -32600],
      ['p', undefined],
      [1, -32601],
    ]);
  });

  test('a request with an id that cannot be repeated is refused, and not passed over', {
    tags: ['full'],
  }, async () => {
    const { env } = await openBox();
    const proxy = startProxy(env);
    const long = `"${'i'.repeat(1e6)}"`;
    for (const id of ['null', '{"a":1}', 'true', '[1]', '1e400', '9007199254740993', long]) {
      proxy.write(`{"jsonrpc":"2.0","id":${id},"method":"tools/list"}`);
    }
    await proxy.ask('tools/list');
    const refused = proxy.lines().slice(0, -1);
    expect(refused).toHaveLength(7);
    for (const { id, error } of refused) expect([id, error.code]).toEqual([null, -32600]);
  });

  test('a line of any length is bounded and answered by its id, wherever that stands', {
    tags: ['full'],
  }, async () => {
    const { env } = await openBox();
    const proxy = startProxy(env);
    const long = Buffer.alloc(33 * 1024 * 1024, 'x').toString();
    const params = { name: 'send_message', arguments: { to: 'user', body: long } };
    proxy.write(JSON.stringify({ jsonrpc: '2.0', id: 'first', method: 'tools/call', params }));
    proxy.write(JSON.stringify({ method: 'tools/call', params, jsonrpc: '2.0', id: 'last' }));
    // Longer than the daemon takes, and not than the proxy does.
    const body = long.slice(0, 8 * 1024 * 1024);
    const refused = await proxy.call('send_message', { to: 'user', body });
    expect(refused).toMatchObject({ isError: true });
    expect(textOf(refused)).toMatch(/The request has more than .* nothing was done\./);
    expect(proxy.lines().slice(0, 2)).toMatchObject([
      { id: 'first', error: { code: -32600, message: expect.stringContaining('too long') } },
      { id: 'last', error: { code: -32600 } },
    ]);
  });

  test('a batch is answered one by one, and answers come in the order in which they are ready', {
    tags: ['full'],
  }, async () => {
    const { box, env } = await openBox();
    await box.run(['agents', 'add', 'slow']);
    const proxy = startProxy(env);
    const slow = proxy.begin('tools/call', {
      name: 'handoff',
      arguments: { profile: 'slow', task: 'x', timeout_seconds: 2 },
    });
    const call = { jsonrpc: '2.0', method: 'tools/call', params: { name: 'list_agents' } };
    proxy.write(
      JSON.stringify([
        { ...call, id: 'a' },
        { ...call, id: 'b' },
      ]),
    );
    expect((await proxy.answerTo(slow)).result.structuredContent.outcome).toBe('pending');
    expect(
      proxy
        .lines()
        .map(({ id }) => id)
        .toSorted(),
    ).toEqual([slow, 'a', 'b'].toSorted());
    expect(proxy.lines().at(-1)?.id).toBe(slow);
  });

  test('a cancelled call is never answered, and its waiting ends in the daemon', async () => {
    const { box, env } = await openBox();
    await box.run(['agents', 'add', 'slow']);
    const proxy = startProxy(env);
    const id = proxy.begin('tools/call', {
      name: 'handoff',
      arguments: { profile: 'slow', task: 'x' },
    });
    const [task] = await waitForTask(box);
    proxy.write(
      JSON.stringify({
        jsonrpc: '2.0',
        method: 'notifications/cancelled',
        params: { requestId: id },
      }),
    );
    // Nobody waits for the answer any more: it comes as a message.
    await box.runAs('slow', ['send', 'script', 'done', '--reply-to', task?.id ?? '']);
    await waitUntil('the answer as a message', async () => {
      const { messages } = (await proxy.call('check_inbox')).structuredContent;
      return messages.length === 1 && messages[0].body === 'done';
    });
    expect(proxy.lines().some((line) => line.id === id)).toBe(false);
  });

  test('a line that is not UTF-8 is refused by its id, and nothing is sent', {
    tags: ['full'],
  }, async () => {
    const { box, env } = await openBox();
    const proxy = startProxy(env);
    const params = { name: 'send_message', arguments: { to: 'user', body: 'café' } };
    const request = { jsonrpc: '2.0', id: 7, method: 'tools/call', params };
    proxy.write(Buffer.from(JSON.stringify(request), 'latin1'));
    proxy.write(Buffer.from(JSON.stringify({ ...request, id: undefined }), 'latin1'));
    const { result } = await proxy.answerTo(7);
    expect(result.isError).toBe(true);
    expect(textOf(result)).toBe(
      'The request is not valid UTF-8; nothing was done. Send it as UTF-8.',
    );
    await waitUntil('the second answer', () => proxy.lines().length === 2);
    expect(proxy.lines()[1]).toMatchObject({ id: null, error: { code: -32700 } });
    expect((await box.list('user')).messages).toEqual([]);
    expect((await proxy.call('send_message', params.arguments)).isError).toBeUndefined();
  });

  test('what was asked before the end of its input is answered, also on a line without an end', {
    tags: ['full'],
  }, async () => {
    const { box, env } = await openBox();
    await box.runAs('user', ['send', 'script', 'the last word']);
    const input = ['initialize', 'tools/list', 'ping'].map((method, id) =>
      JSON.stringify({ jsonrpc: '2.0', id, method, params: method === 'initialize' ? hello : {} }),
    );
    const call = { jsonrpc: '2.0', id: 9, method: 'tools/call', params: { name: 'check_inbox' } };
    const proxy = startProxy(env);
    proxy.finishWith([...input, JSON.stringify(call)].join('\n'));
    expect(await proxy.ended).toBe(0);
    const ids = proxy.lines().map(({ id }) => id);
    expect(ids.toSorted()).toEqual([0, 1, 2, 9]);
    const { result } = proxy.lines().find(({ id }) => id === 9);
    expect(result.structuredContent.messages).toMatchObject([{ body: 'the last word' }]);
    // It was printed and confirmed: nothing of it comes again.
    const { messages } = await box.list('script');
    expect(messages).toEqual([]);
  });

  test('the end of its input ends it, whatever is still asked; so does a reader that went away', {
    tags: ['full'],
  }, async () => {
    const { box, env } = await openBox();
    await box.run(['agents', 'add', 'slow']);
    const waiting = { name: 'handoff', arguments: { profile: 'slow', task: 'x' } };
    const first = startProxy(env);
    const asked = first.begin('tools/call', waiting);
    await waitForTask(box);
    first.endInput();
    expect(await first.ended).toBe(0);
    expect(textOf((await first.answerTo(asked)).result)).toMatch(/input ended .* as a message/);
    const second = startProxy(env);
    await second.ask('ping');
    second.closeOutput();
    second.begin('ping');
    expect(await second.ended).toBe(0);
  });
});

describe('without a daemon', () => {
  test('a call says so and what to do; the next one finds a daemon that was started meanwhile', {
    tags: ['full'],
  }, async () => {
    const { box, env } = await openBox();
    const proxy = startProxy({ ...env, SIGNALBOX_SOCKET: box.info().socket });
    expect((await proxy.call('list_agents')).isError).toBeUndefined();
    await box.run(['down']);
    const refused = await proxy.call('list_agents');
    expect(refused.isError).toBe(true);
    expect(textOf(refused)).toMatch(/daemon does not run; nothing was done\. Run `signalbox up`/);
    const other = await proxy.ask('resources/list');
    expect(other.error.message).toMatch(/signalbox up/);
    await box.run(['up']);
    expect((await proxy.call('list_agents')).isError).toBeUndefined();
  });

  test('a start in the moment of its restart waits for it', { tags: ['full'] }, async () => {
    const { box, env } = await openBox();
    await box.run(['down']);
    const proxy = startProxy(env);
    const opening = proxy.ask('initialize', hello);
    const listing = proxy.ask('tools/list');
    await proxy.ask('ping');
    await box.run(['up']);
    expect((await opening).result.serverInfo.name).toBe('signalbox');
    expect((await listing).result.tools).toHaveLength(8);
  });

  test('a daemon that is killed in the middle of a call is told as that: done or not, nobody knows', async () => {
    const { box, env } = await openBox();
    await box.run(['agents', 'add', 'slow']);
    const proxy = startProxy(env);
    const waiting = proxy.call('handoff', { profile: 'slow', task: 'x', key: 'k' });
    const [task] = await waitForTask(box);
    for (const pid of box.daemons()) await box.kill(pid);
    expect(textOf(await waiting)).toMatch(/may have been done or not\. Call again, with the same/);
    await box.run(['up']);
    const again = { profile: 'slow', task: 'x', key: 'k', timeout_seconds: 1 };
    expect((await proxy.call('handoff', again)).structuredContent).toMatchObject({
      outcome: 'pending',
      task: task?.id,
    });
  });

  test('whoever is nobody’s agent is refused in words', async () => {
    const { box } = await openBox();
    const proxy = startProxy({ SIGNALBOX_HOME: box.home, SIGNALBOX_AGENT: '' });
    const { error } = await proxy.ask('initialize', hello);
    expect(error.message).toMatch(/nothing says which one is asking\. Give the MCP server/);
  });
});

async function waitForTask(box: ReturnType<typeof openDaemonBox>) {
  let found: readonly { readonly id: string }[] = [];
  await waitUntil('the task', async () => {
    found = (await box.list('slow')).messages;
    return found.length > 0;
  });
  return found;
}
