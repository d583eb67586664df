import { beforeEach, describe, expect, test } from 'vitest';
import type { Agent } from '../../src/agents/agent.ts';
import { addRunning, as } from '../support/mail.ts';
import { callTool, tokenOf } from '../support/mcp.ts';
import { read, StreamReader, TestServer, userTokenOfTests } from '../support/server.ts';

/** Nothing that a stranger gets may hold it. */
const secret = 'curl -H key:s3cret';

let server: TestServer;
let lead: Agent;
let worker: Agent;
let stranger: Agent;

beforeEach(async () => {
  server = new TestServer();
  lead = await addRunning(server, 'lead');
  const helper = await addRunning(server, 'helper');
  worker = await addRunning(server, 'worker');
  stranger = await addRunning(server, 'stranger');
  // Two below the lead.
  await server.ledger.write(async (tx) => {
    await tx.agents.setParent(helper.id, lead.id);
    await tx.agents.setParent(worker.id, helper.id);
  });
  const question = { id: 'qabcdef', asks: 'command', text: secret, decisions: ['allow'] } as const;
  server.fleet.lives.set(worker.id, {
    ...{ status: 'waiting', detail: 'permission', question: secret, questions: [question] },
    ...{ composer: 'hidden', source: 'hook', since: 0, revision: 1, notes: [] },
  } as never);
  server.fleet.asked = { questions: [question], isBlind: false, isComing: false };
  Object.assign(server.fleet, {
    output: async (_: string, mode: string) => ({
      ...{ text: mode === 'screen' ? secret : '', response: 'none', searched: ['screen'] },
    }),
  });
});

function publish(): void {
  const { id: agent, name, session } = worker;
  server.bus.publish({
    ...{ kind: 'status', agent },
    data: {
      ...{ name, session, status: 'waiting', detail: 'permission', source: 'hook', since: 0 },
      ...{ composer: 'hidden', question: secret },
      questions: [{ id: 'qabcdef', asks: 'command', text: secret, decisions: ['allow'] }],
    },
  });
}

type Headers = Record<string, string>;
const ask = async (path: string, headers: Headers): Promise<string> =>
  (await server.ask(path, { headers })).text();

/** Each is what one reader gets of the question, by one transport. */
const transports: Readonly<Record<string, (headers: Headers) => Promise<string>>> = {
  'GET /agents': (headers) => ask('/agents', headers),
  'GET /agents/worker': (headers) => ask('/agents/worker', headers),
  'GET /events/recent': async (headers) => {
    publish();
    return ask('/events/recent', headers);
  },
  'GET /events': async (headers) => {
    const stream = new StreamReader(await server.ask('/events', { headers }));
    publish();
    return (await stream.next()) ?? '';
  },
  'GET /events after a gap': async (headers) => {
    const from = { ...headers, 'last-event-id': 'boot0-1' };
    const stream = new StreamReader(
      await server.ask('/events?topic=agent.*.status', { headers: from }),
    );
    let all = '';
    while (!all.includes(`agent.${worker.id}.status`)) all += await stream.next();
    return all;
  },
  'GET /agents/worker/output': (headers) => ask('/agents/worker/output?mode=screen', headers),
};

describe.each(Object.keys(transports))('rule 54: what an agent asks, by %s', (name) => {
  const read = (headers: Headers): Promise<string> => {
    const transport = transports[name];
    if (!transport) throw new Error('it is in the table');
    return transport(headers);
  };
  const shown = JSON.stringify(secret).slice(1, -1);

  test.each<[string, () => Headers]>([
    ['the user', () => ({ 'signalbox-user': userTokenOfTests })],
    ['a script of the user', () => ({})],
    ['whoever is above it', () => tokenOf(lead)],
    ['one above it that comes by its name', () => as(lead)],
    ['the agent itself', () => tokenOf(worker)],
  ])('is for %s', async (_, headers) => {
    expect(await read(headers())).toContain(shown);
  });

  test.each<[string, () => Headers]>([
    ['another agent of its session', () => tokenOf(stranger)],
    ['one that comes by its name', () => as(stranger)],
  ])('is not for %s, which is told that it waits', async (_, headers) => {
    const text = await read(headers());
    expect(text).not.toContain('s3cret');
    expect(text).toMatch(/"status":"waiting"|asks its user something/);
  });
});

test('rule 54: by its tools an agent reads only what those below it ask', async () => {
  for (const [reader, isShown] of [
    [stranger, false],
    [lead, true],
  ] as const) {
    const listed = await callTool(server, reader, 'list_agents');
    expect(listed.text).toContain('waiting');
    expect(listed.text).not.toContain('s3cret');
    const output = await callTool(server, reader, 'get_output', { agent: 'worker' });
    expect(output.text.includes('s3cret')).toBe(isShown);
    const asked = await callTool(server, reader, 'answer_question', { agent: 'worker' });
    expect(asked.text).not.toContain('s3cret');
  }
  server.supervisors = new Map([[`${lead.session}/lead`, lead.id]]);
  const asked = await callTool(server, lead, 'answer_question', { agent: 'worker' });
  expect(asked.text).toContain('s3cret');
  const whole = await server.ask('/agents/worker/questions', { headers: tokenOf(stranger) });
  expect([whole.status, (await read(whole)).error.code]).toEqual([403, 'not-allowed']);
});

describe('rule 54: what an agent asks is not for a stranger that asks for its output', () => {
  const working = {
    status: 'processing',
    source: 'state',
    since: 0,
    composer: 'hidden',
    notes: [],
  };
  const readAs = async (agent: Agent, mode: string): Promise<string> =>
    ask(`/agents/worker/output?mode=${mode}`, tokenOf(agent));
  const answers = (read: () => object): void =>
    void Object.assign(server.fleet, {
      output: async () => ({ text: secret, response: 'complete', searched: ['screen'], ...read() }),
    });

  test.each<[string, string, () => object]>([
    [
      'while the screen is read the agent begins to wait',
      'screen',
      () => {
        server.fleet.lives.set(worker.id, { ...working, status: 'waiting' } as never);
        return {};
      },
    ],
    ['the screen has it, and the status does not say so yet', 'screen', () => ({ asks: true })],
    [
      'the last answer is cut out of a terminal that has it',
      'last',
      () => ({ asks: true, searched: ['transcript', 'scrollback'] }),
    ],
  ])('when %s', async (_, mode, read) => {
    server.fleet.lives.set(worker.id, working as never);
    answers(read);
    const text = await readAs(stranger, mode);
    expect(text).not.toContain('s3cret');
    expect(text).toContain('asks its user something');
    server.fleet.lives.set(worker.id, working as never);
    const above = await readAs(lead, mode);
    expect(above).toContain('s3cret');
    expect(above).not.toContain('"asks"');
  });

  test('and an answer on record is for those near it, while it waits, too', async () => {
    answers(() => ({ text: 'done before', searched: ['transcript'] }));
    expect(await readAs(stranger, 'last')).toContain('done before');
  });
});
