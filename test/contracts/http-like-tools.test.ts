import { describe, expect, test } from 'vitest';
import type { Agent } from '../../src/agents/agent.ts';
import type { AgentOutput } from '../../src/fleet/fleet.ts';
import { access } from '../../src/server/access.ts';
import { Fault } from '../../src/shared/fault.ts';
import { addRunning, as, fault } from '../support/mail.ts';
import { callTool, tokenOf } from '../support/mcp.ts';
import { read, StreamReader, TestServer } from '../support/server.ts';

/**
 * Each route that an agent may call, the tool that does the same, and what keeps both within the
 * same limits. A route without a tool says what bounds it instead. Hooks and MCP itself are not
 * here.
 */
const pairs: Readonly<Record<string, readonly [tool: string | undefined, limits: string]>> = {
  'GET /agents/:agent/output': [
    'get_output',
    'own session or below, no scrollback, 16 KB, neutralised',
  ],
  'GET /agents': ['list_agents', 'all agents, neutralised; a document for programs, so uncut'],
  'GET /agents/:agent': ['list_agents', 'any agent, neutralised'],
  'POST /agents': ['assign', 'the ceiling and the tree, in the fleet; the body'],
  'POST /tasks': ['handoff', 'the ceiling and the tree, in the fleet; the body'],
  'GET /tasks/:id/answer': ['handoff', 'its own tasks'],
  'POST /messages': ['send_message', 'as itself; the body'],
  'POST /messages/ack': ['ack', 'messages to itself, all or none'],
  'POST /agents/:agent/inbox/check': ['check_inbox', 'its own; 16 KB in a terminal'],
  'GET /agents/:agent/inbox': ['check_inbox', 'its own; takes nothing'],
  'GET /messages/:id': [undefined, 'messages from or to itself'],
  'GET /messages/:id/wait': [undefined, 'messages from or to itself'],
  'POST /messages/:id/cancel': [undefined, 'messages from itself'],
  'POST /hand-overs/:id': [undefined, 'by the secret id that it was given'],
  'GET /events': [
    undefined,
    'what agents do, neutralised; messages from or to itself; its own output',
  ],
  'GET /events/recent': [undefined, 'the same'],
  'POST /agents/:agent/look': [undefined, 'a hint; nothing is told but what is broken'],
  'GET /agents/:agent/start': [undefined, 'what it started, neutralised'],
  'POST /agents/:agent/stop': ['stop_agent', 'what it started; by the tool its own children alone'],
  'GET /agents/:agent/questions': [
    'answer_question',
    'for a supervisor that the user has named: what it started, neutralised',
  ],
  'POST /agents/:agent/questions/:question': [
    'answer_question',
    'for such a supervisor: what it started, and at most what it may do itself',
  ],
  'POST /agents/:agent/restart': [undefined, 'what it started, and that has no more than itself'],
  'DELETE /agents/:agent': [undefined, 'what it started'],
  'GET /health': [undefined, 'of the daemon alone'],
  'GET /openapi.json': [undefined, 'the same for all'],
};

test('every route that an agent may call has its twin among the tools, or says what bounds it', () => {
  const own = Object.entries(access)
    .filter(([, callers]) => callers.includes('agent') && callers.includes('user'))
    .map(([route]) => route);
  expect(Object.keys(pairs).toSorted()).toEqual(own.toSorted());
});

const long = `${'\u001b[2Jfirst ä'.repeat(4000)}\n<signalbox mark_${'x'.repeat(30)}>\nlast`;

/** The worker, another of its session, one of another session, and a child of the worker there. */
async function openServer() {
  const server = new TestServer();
  const worker = await addRunning(server, 'worker');
  const peer = await addRunning(server, 'peer');
  const move = (agent: Agent, change: Partial<Agent>) =>
    server.ledger.write(async (tx) => {
      await tx.agents.markRemoved(agent.id, 1, true);
      const id = `${agent.id}x`;
      const moved = await tx.agents.insert({ ...agent, id, ...change });
      if (!moved) throw new Error('the name is taken');
      return moved;
    });
  const far = await move(await addRunning(server, 'far'), { session: 'elsewhere' });
  const change = { session: 'elsewhere', parent: worker.id };
  const child = await move(await addRunning(server, 'child'), change);
  const says = (text: string) => {
    const output: AgentOutput = { text, response: 'complete', searched: ['screen'] };
    server.fleet.output = async () => output as never;
  };
  return { server, worker, peer, far, child, says };
}

describe('GET /agents/X/output is as get_output', () => {
  test('for whom: its own session and what is below it, by token and by name; the user sees all', async () => {
    const { server, worker } = await openServer();
    for (const name of ['worker', 'peer', 'child', 'far']) {
      const { result } = await callTool(server, worker, 'get_output', { agent: name });
      const isRefused = result.error?.code === 'not-allowed';
      expect([name, isRefused]).toEqual([name, name === 'far']);
      for (const headers of [tokenOf(worker), as(worker)]) {
        const response = await server.ask(`/agents/${name}/output`, { headers });
        expect([name, response.status]).toEqual([name, isRefused ? 403 : 200]);
      }
      expect((await server.ask(`/agents/${name}/output`)).status).toBe(200);
    }
  });

  test('how much: its end, at most 16 KB and whole characters; what is cut is said', async () => {
    const { server, worker, says } = await openServer();
    says('ä'.repeat(40_000));
    const headers = tokenOf(worker);
    const { result } = await callTool(server, worker, 'get_output', { agent: 'peer' });
    const view = await read(await server.ask('/agents/peer/output?mode=last', { headers }));
    expect(view).toMatchObject({ response: 'partial', text: 'ä'.repeat(8192) });
    expect(result).toMatchObject({ isCut: true, text: view.text });
    const whole = await read(await server.ask('/agents/peer/output?mode=last'));
    expect([whole.text.length, whole.response]).toEqual([40_000, 'complete']);
  });

  test('rule 47: neutralised, as the tool’s document is; the user’s programs get it as it is', async () => {
    const { server, worker, says } = await openServer();
    says(long);
    const { result } = await callTool(server, worker, 'get_output', { agent: 'peer' });
    const headers = tokenOf(worker);
    const { text } = await read(await server.ask('/agents/peer/output?mode=last', { headers }));
    expect(text).toBe(result.text);
    expect(text).not.toContain('\u001b');
    expect(text).not.toContain('<signalbox');
    expect((await read(await server.ask('/agents/peer/output'))).text).toBe(long);
  });

  test('the scrollback, the raw stream and the way into a terminal are the user’s', async () => {
    const { server, worker } = await openServer();
    for (const headers of [tokenOf(worker), as(worker)]) {
      for (const path of ['peer/output?mode=full', 'worker/output?mode=full', 'worker/stream']) {
        const response = await server.ask(`/agents/${path}`, { headers });
        expect([path, ...(await fault(response))]).toEqual([path, 403, 'not-allowed']);
      }
      const attach = await server.post('/agents/worker/attach', { env: {} }, headers);
      expect(await fault(attach)).toEqual([403, 'not-allowed']);
    }
    expect((await server.ask('/agents/peer/output?mode=full')).status).toBe(200);
  });
});

test('rule 47: what others show of themselves is neutralised in what an agent is told of them, as in list_agents', async () => {
  const { server, worker, peer } = await openServer();
  const detail = '<signalbox x> \u001b[2J';
  const since = 1;
  const live = { status: 'waiting', detail, source: 'screen', since, composer: 'unknown' } as const;
  server.fleet.lives.set(peer.id, { ...live, notes: [detail] });
  const data = { ...live, name: 'peer', session: 'default' };
  server.bus.publish({ kind: 'status', agent: peer.id, data });
  for (const path of ['/agents', '/agents/peer', '/events/recent']) {
    const own = await (await server.ask(path, { headers: tokenOf(worker) })).text();
    expect([path, own.includes('<signalbox'), own.includes('\\u001b')]).toEqual([
      path,
      false,
      false,
    ]);
    expect(await (await server.ask(path)).text()).toContain('<signalbox');
  }
});

test('rule 47: so it is where an agent waits for what it launched, or starts it again, and in why that failed', async () => {
  const { server, worker, child } = await openServer();
  const detail = '<signalbox x> \u001b[2J';
  const live = { status: 'waiting', detail, source: 'screen', composer: 'unknown' } as const;
  server.fleet.lives.set(child.id, { ...live, since: 1, notes: [detail] });
  const ask = async (headers = {}) => [
    await (await server.ask('/agents/child/start', { headers })).text(),
    await (await server.post('/agents/child/restart', { fresh: false, env: {} }, headers)).text(),
  ];
  for (const told of await ask(tokenOf(worker))) {
    expect([
      told.includes('waiting'),
      told.includes('<signalbox'),
      told.includes('\\u001b'),
    ]).toEqual([true, false, false]);
  }
  for (const told of await ask()) expect(told).toContain('<signalbox');
  server.fleet.awaitLaunch = async () => {
    throw new Fault('launch-failed', `It ended. It said: ${detail}.`, 'See its output.');
  };
  const [failed = ''] = await ask(tokenOf(worker));
  expect([failed.includes('It said'), failed.includes('<signalbox')]).toEqual([true, false]);
});

test.each([
  ['/agents', { provider: 'generic', notify: true, extraArgs: [], extraEnv: {} }],
  ['/tasks', { to: 'generic', task: 'x' }],
])('a relative folder in POST %s is refused by that reason', async (path, request) => {
  const { server } = await openServer();
  const response = await server.post(path, { ...request, cwd: 'src/../x', env: {} });
  expect(await read(response)).toMatchObject({
    error: {
      code: 'invalid-input',
      message: 'The working folder "src/../x" is a relative path.',
      next: 'Give the whole path, from / on.',
    },
  });
});

test('of messages an agent is told of its own alone, and of output of its own', async () => {
  const { server, worker, peer, far } = await openServer();
  const stream = new StreamReader(
    await server.ask('/events?topic=*.*.*', { headers: tokenOf(worker) }),
  );
  const publish = (message: string, from: Agent, to: Agent) =>
    server.bus.publish({
      ...({ kind: 'message', message } as const),
      data: { state: 'queued', from: from.id, to: to.id },
    });
  publish('msg_1', peer, far);
  publish('msg_2', worker, far);
  server.bus.publish({ kind: 'output', agent: far.id, data: { bytes: 1 } });
  publish('msg_3', far, peer);
  publish('msg_4', peer, worker);
  const seen = [(await stream.nextView()).topic, (await stream.nextView()).topic];
  await stream.cancel();
  expect(seen).toEqual(['message.msg_2.queued', 'message.msg_4.queued']);
  const recent = async (headers = {}) =>
    (await read(await server.ask('/events/recent', { headers }))).events.length;
  expect([await recent(tokenOf(worker)), await recent()]).toEqual([2, 4]);
});

describe('every body passes the same check', () => {
  const bodies: Readonly<Record<string, readonly [body: string, code: string]>> = {
    'half a character': ['a\ud800b', 'invalid-input'],
    'too much': ['x'.repeat(1024 * 1024 + 1), 'body-too-large'],
    nothing: ['', 'invalid-input'],
  };
  const launch = { notify: true, cwd: '/', extraArgs: [], env: {}, extraEnv: {} };
  type Ask = (server: TestServer, who: Agent, body: string) => Promise<string | undefined>;
  const http =
    (path: string, request: (body: string) => object): Ask =>
    async (server, who, body) =>
      (await read(await server.post(path, request(body), tokenOf(who)))).error?.code;
  const tool =
    (name: string, request: (body: string) => object): Ask =>
    async (server, who, body) =>
      (await callTool(server, who, name, request(body))).result?.error?.code;
  const ways: Readonly<Record<string, Ask>> = {
    'POST /messages': http('/messages', (body) => ({ to: 'peer', body })),
    'POST /messages, a reply': http('/messages', (body) => ({ to: 'user', body, urgent: true })),
    'POST /tasks, for one that runs': http('/tasks', (task) => ({
      ...{ to: 'peer', task, cwd: '/', env: {} },
    })),
    'POST /tasks, with a launch': http('/tasks', (task) => ({
      ...{ to: 'codex', task, cwd: '/', env: {} },
    })),
    'POST /agents, the first message': http('/agents', (message) => ({
      ...{ ...launch, provider: 'codex', message },
    })),
    send_message: tool('send_message', (body) => ({ to: 'peer', body })),
    'assign, for one that runs': tool('assign', (task) => ({ profile: 'peer', task })),
    'assign, with a launch': tool('assign', (task) => ({ profile: 'codex', task })),
    handoff: tool('handoff', (task) => ({ profile: 'codex', task })),
  };

  test.each(Object.keys(ways))('%s', async (way) => {
    const { server, worker } = await openServer();
    for (const [what, [body, code]] of Object.entries(bodies)) {
      expect([what, await ways[way]?.(server, worker, body)]).toEqual([what, code]);
    }
    expect(server.fleet.launches).toEqual([]);
    const inboxes = await server.ledger.read(async (tx) =>
      Promise.all(
        (await tx.agents.list()).map(({ id }) =>
          tx.messages.count({ to: id, states: ['queued'], limit: 0 }),
        ),
      ),
    );
    expect(inboxes.every((count) => count === 0)).toBe(true);
  });
});
