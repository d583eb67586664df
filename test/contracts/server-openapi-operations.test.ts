import { expect, test } from 'vitest';
import type { ApiDocument } from '../support/api-document.ts';
import { addHookLives, addRunning, as } from '../support/mail.ts';
import { give, tokenOf } from '../support/mcp.ts';
import { mutate } from '../support/mutate.ts';
import { read, StreamReader, TestServer, userTokenOfTests } from '../support/server.ts';

/** One request. `said`: its answer as text, where that is no document. */
interface Case {
  readonly path: string;
  readonly method?: 'GET' | 'POST' | 'DELETE';
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
  readonly status: number;
  readonly isStream?: true;
}

interface Walk {
  readonly right: readonly Case[];
  readonly wrong: readonly Case[];
}

const theUser = { 'signalbox-user': userTokenOfTests };
const own = (one: Case): Case => ({ ...one, headers: theUser });
const right = { authorization: 'bearer right' };
const some = { provider: 'generic', notify: true, cwd: '/' };
const launch = { ...some, extraArgs: [], env: {}, extraEnv: {} };
const link = { readOnly: true, env: {}, umask: '0077' };
const rpc = { jsonrpc: '2.0', id: 1, method: 'tools/list' };

/** Every operation, asked rightly and wrongly. `m`: a message to worker; `t`: a task of lead's. */
function plan(m: string, t: string, token: Record<string, string>): Record<string, Walk> {
  const asLead = { 'signalbox-agent': 'lead' };
  const long = 'x'.repeat(201);
  return {
    getOpenApi: walk([get('/openapi.json')], [get('/openapi.json', 401, badToken)]),
    getHealth: walk([get('/health')], [get('/health', 401, badToken)]),
    listAgents: walk(
      [get('/agents'), get('/agents?session=default')],
      [get('/agents?session=a%20b', 400)],
    ),
    getAgent: walk(
      [get('/agents/worker')],
      [get('/agents/nobody', 404), get(`/agents/${long}`, 400)],
    ),
    launchAgent: walk(
      [post('/agents', { ...launch, name: 'new', umask: '0022' }, 201)],
      [
        post('/agents', { ...launch, name: 'a b' }, 400),
        post('/agents', { ...launch, umask: '9' }, 400),
        post('/agents', { ...launch, modle: 'x' }, 400),
        post('/agents', { provider: 'generic' }, 400),
      ],
    ),
    awaitStart: walk(
      [get('/agents/worker/start?timeoutMs=0')],
      [get('/agents/worker/start?timeoutMs=60001', 400), get('/agents/nobody/start', 404)],
    ),
    stopAgent: walk(
      [post('/agents/worker/stop', undefined)],
      [post('/agents/nobody/stop', undefined, 404)],
    ),
    interruptAgent: walk(
      [own(post('/agents/worker/interrupt', {}))],
      [
        post('/agents/worker/interrupt', {}, 403),
        own(post('/agents/worker/interrupt', { timeoutMs: 50_001 }, 400)),
        own(post('/agents/nobody/interrupt', {}, 404)),
      ],
    ),
    openDashboard: walk([own(post('/dashboard', link))], [post('/dashboard', link, 403)]),
    restartAgent: walk(
      [post('/agents/worker/restart', { fresh: true, env: {} })],
      [post('/agents/worker/restart', {}, 400)],
    ),
    getOutput: walk(
      [get('/agents/worker/output?mode=last')],
      [get('/agents/worker/output?mode=x', 400)],
    ),
    followOutput: walk([stream('/agents/worker/stream')], [get('/agents/nobody/stream', 404)]),
    findTerminal: walk(
      [post('/agents/worker/attach', { env: {} })],
      [
        post('/agents/worker/attach', {}, 400),
        post('/agents/worker/attach', { env: { GONE: '' } }, 410),
      ],
    ),
    getQuestions: walk([get('/agents/worker/questions')], [get('/agents/nobody/questions', 404)]),
    answerQuestion: walk(
      [],
      [post('/agents/worker/questions/qabcdef', { decision: 'allow' }, 403)],
    ),
    listInbox: walk(
      [get('/agents/worker/inbox'), get('/agents/worker/inbox?state=queued&state=dead&max=1')],
      [
        get('/agents/worker/inbox?state=odd', 400),
        ...['0', '1001', '1e2', '0x10', '', '-1', '1.5'].map((max) =>
          get(`/agents/worker/inbox?max=${max}`, 400),
        ),
      ],
    ),
    sendMessage: walk(
      [
        post('/messages', { to: 'worker', body: 'x', key: 'k', ttlMs: 1000 }, 201),
        post('/messages', { to: 'worker', body: 'x', key: 'k', ttlMs: 1000 }, 200),
      ],
      [
        post('/messages', { to: 'worker', body: '' }, 400),
        post('/messages', { to: 'worker', body: 'x', key: '' }, 400),
        post('/messages', { to: 'worker', body: 'x', key: 'a\u0000' }, 400),
        post('/messages', { to: 'worker', body: 'x', ttlMs: 315_360_000_001 }, 400),
        post('/messages', { to: 'worker' }, 400),
        post('/messages', undefined, 400),
      ],
    ),
    explainMessage: walk(
      [get(`/messages/${m}`)],
      [get('/messages/msg_0', 404), get(`/messages/${long}`, 400)],
    ),
    waitForMessage: walk(
      [get(`/messages/${m}/wait?state=acked&timeoutMs=0`)],
      [
        get(`/messages/${m}/wait`, 400),
        get(`/messages/${m}/wait?state=queued`, 400),
        get(`/messages/${m}/wait?state=acked&timeoutMs=50001`, 400),
      ],
    ),
    giveTask: walk(
      [{ ...post('/tasks', { to: 'worker', task: 'x', cwd: '/', env: {} }, 201), headers: asLead }],
      [
        post('/tasks', { to: 'worker', task: 'x' }, 400),
        { ...post('/tasks', { to: 'worker', task: '', cwd: '/', env: {} }, 400), headers: asLead },
      ],
    ),
    takeAnswer: walk(
      [{ ...get(`/tasks/${t}/answer?timeoutMs=0`), headers: asLead }],
      [get('/tasks/msg_0/answer?timeoutMs=0', 404), get(`/tasks/${t}/answer?timeoutMs=x`, 400)],
    ),
    confirmHandOver: walk(
      [post('/hand-overs/over_0', undefined)],
      [post(`/hand-overs/${long}`, undefined, 400)],
    ),
    ackMessages: walk(
      [{ ...post('/messages/ack', { ids: [m] }), headers: { 'signalbox-agent': 'worker' } }],
      [post('/messages/ack', { ids: [] }, 400), post('/messages/ack', { ids: ['msg_0'] }, 404)],
    ),
    cancelMessage: walk(
      [post(`/messages/${t}/cancel`, undefined)],
      [
        post('/messages/msg_0/cancel', undefined, 404),
        post(`/messages/${m}/cancel`, undefined, 409),
        {
          ...post(`/messages/${m}/cancel`, undefined, 403),
          headers: { 'signalbox-agent': 'worker' },
        },
      ],
    ),
    checkInbox: walk(
      [post('/agents/worker/inbox/check', { max: 1 })],
      [post('/agents/worker/inbox/check', { max: 0 }, 400)],
    ),
    lookAtInbox: walk(
      [post('/agents/worker/look', undefined, 204)],
      [post('/agents/nobody/look', undefined, 404)],
    ),
    listEvents: walk(
      [get('/events/recent?topic=agent.*.status')],
      [get('/events/recent?topic=agent', 400)],
    ),
    followEvents: walk([stream('/events?topic=message.*.*')], [get('/events?topic=a.b', 400)]),
    callTools: walk(
      [
        { ...post('/mcp', rpc), headers: token, isStream: true },
        {
          ...post('/mcp', { jsonrpc: '2.0', method: 'notifications/initialized' }, 202),
          headers: token,
        },
      ],
      [
        post('/mcp', rpc, 401),
        { ...post('/mcp', { jsonrpc: '2.0', id: 1, method: long }, 400), headers: token },
        { ...post('/mcp', '{', 400), headers: token },
      ],
    ),
    decideInHook: walk(
      [{ ...post('/hooks/decide?pid=1&hook=2', {}, 204), headers: right }],
      [{ ...post('/hooks/decide?pid=1', {}, 400), headers: right }],
    ),
    waitInHook: walk(
      [{ ...post('/hooks/wait?pid=1', {}), headers: { authorization: 'Bearer old' } }],
      [
        { ...post('/hooks/wait?pid=x', {}, 400), headers: right },
        { ...post('/hooks/wait', {}, 400), headers: right },
      ],
    ),
    confirmHook: walk(
      [{ ...post('/hooks/confirm/say_1', undefined), headers: right }],
      [
        post('/hooks/confirm/say_1', undefined, 401),
        { ...post(`/hooks/confirm/${'x'.repeat(101)}`, undefined, 400), headers: right },
      ],
    ),
    reportHook: walk(
      [
        { ...post('/hooks/Stop', { any: 'thing' }, 204), headers: right },
        { ...post('/hooks/Stop', {}), headers: { authorization: 'Bearer old' } },
      ],
      [
        post('/hooks/Stop', {}, 401),
        { ...post(`/hooks/${'x'.repeat(101)}`, {}, 400), headers: right },
      ],
    ),
    removeAgent: walk(
      [{ path: '/agents/new', method: 'DELETE', status: 200 }],
      [{ path: '/agents/nobody', method: 'DELETE', status: 404 }],
    ),
    shutDown: walk(
      [post('/shutdown', undefined)],
      [
        post('/shutdown?pid=x', undefined, 400),
        post('/shutdown?pid=0', undefined, 409),
        { ...post('/shutdown', undefined, 403), headers: token },
      ],
    ),
  };
}

test('every operation is answered as the document says, asked rightly or wrongly; a changed answer is found', async () => {
  const server = await addHookLives(new TestServer());
  const api = await server.describeApi();
  const lead = await server.add('lead');
  const worker = await server.add('worker');
  const token = tokenOf(await addRunning(server, 'runner'));
  const sent = await read(await server.post('/messages', { to: 'worker', body: 'hi' }, as(lead)));
  const task = await give(server, lead.id, worker.id);
  const walks = plan(sent.id, task, token);
  expect(Object.keys(walks).toSorted()).toEqual(api.operations.map(({ id }) => id).toSorted());
  let mutants = 0;
  for (const [id, { right: good, wrong }] of Object.entries(walks)) {
    for (const one of good) {
      const asked = { ...one, method: one.method ?? 'GET' };
      expect([id, api.find(asked)?.id, api.findWrongRequest(asked)]).toEqual([id, id, undefined]);
      mutants += await check(server, api, one);
    }
    for (const one of wrong) {
      const asked = { ...one, method: one.method ?? 'GET' };
      // What is wrong with the request itself is in the document too, and not only with the world.
      if (one.status === 400)
        expect([one.path, api.findWrongRequest(asked) !== undefined]).toEqual([one.path, true]);
      await check(server, api, one);
    }
  }
  expect(mutants).toBeGreaterThan(300);
});

/** How many changed answers were found to be wrong: all of them. */
async function check(server: TestServer, api: ApiDocument, one: Case): Promise<number> {
  const { path, method = 'GET', body, headers = {}, status, isStream } = one;
  const isPost = method === 'POST' && body !== undefined;
  const response = isPost
    ? await server.post(path, body, headers)
    : await server.ask(path, { method, headers });
  expect([method, path, response.status]).toEqual([method, path, status]);
  if (isStream) {
    if (path.startsWith('/events')) await readEvent(server, api, response);
    else await response.body?.cancel();
    return 0;
  }
  const text = await response.text();
  const type = response.headers.get('content-type');
  const isDocument = type?.startsWith('application/json') === true;
  const answer = { status, type, body: isDocument ? JSON.parse(text) : text };
  const asked = { path, method };
  expect(api.findWrongAnswer(asked, answer)).toBeUndefined();
  const mutants = isDocument && api.find(asked)?.id !== 'getOpenApi' ? mutate(answer.body) : [];
  for (const mutant of mutants) {
    const wrong = api.findWrongAnswer(asked, { ...answer, body: mutant.value });
    expect([path, mutant.change, wrong !== undefined]).toEqual([path, mutant.change, true]);
  }
  return mutants.length;
}

async function readEvent(server: TestServer, api: ApiDocument, response: Response): Promise<void> {
  const reader = new StreamReader(response);
  server.bus.publish({
    ...{ kind: 'message', message: 'msg_1' },
    data: { state: 'queued', from: 'agt_a', to: 'agt_b' },
  });
  const event = await reader.nextView();
  const asked = { method: 'GET', path: '/events' };
  expect(api.findWrongEvent(asked, event)).toBeUndefined();
  expect(api.findWrongEvent(asked, { ...event, at: 'now' })).toBeDefined();
  await reader.cancel();
}

const badToken = { authorization: 'Bearer nobody' };

function walk(good: readonly Case[], wrong: readonly Case[]): Walk {
  return { right: good, wrong };
}

function get(path: string, status = 200, headers: Record<string, string> = {}): Case {
  return { path, status, headers };
}

function stream(path: string): Case {
  return { path, status: 200, isStream: true };
}

function post(path: string, body: unknown, status = 200): Case {
  return { path, method: 'POST', status, ...(body === undefined ? {} : { body }) };
}
