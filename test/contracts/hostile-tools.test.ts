import { expect, test } from 'vitest';
import { tools } from '../../src/server/mcp/tools.ts';
import { systemClock } from '../../src/shared/clock.ts';
import { findHidden, Hostile } from '../support/hostile.ts';
import { addRunning, send } from '../support/mail.ts';
import { callTool, give } from '../support/mcp.ts';
import { readCarelessly } from '../support/read-envelope.ts';
import { TestServer } from '../support/server.ts';
import { waitUntil } from '../support/wait-until.ts';

interface World {
  readonly server: TestServer;
  readonly hostile: Hostile;
  readonly caller: { readonly id: string; readonly name: string };
}

/**
 * What a model gives a tool so that it shows what others wrote. Every tool: one that is new has to
 * be put here.
 */
const walks: Readonly<Record<string, (world: World) => Promise<readonly object[]>>> = {
  list_agents: async () => [{}],
  get_output: async ({ server, hostile, caller }) => {
    // What waits for a person is shown to those above it alone.
    const peer = await server.ledger.read((tx) => tx.agents.list());
    const id = peer.find(({ name }) => name === 'peer')?.id ?? '';
    await server.ledger.write((tx) => tx.agents.setParent(id, caller.id));
    return [{ agent: 'peer' }, { agent: hostile.text('argument.agent') }];
  },
  stop_agent: async ({ hostile }) => [{ agent: 'peer' }, { agent: hostile.text('argument.agent') }],
  answer_question: async ({ server, hostile, caller }) => {
    server.supervisors = new Map([[`default/${caller.name}`, caller.id]]);
    const all = await server.ledger.read((tx) => tx.agents.list());
    const peer = all.find(({ name }) => name === 'peer')?.id ?? '';
    await server.ledger.write((tx) => tx.agents.setParent(peer, caller.id));
    const text = hostile.text('question.text');
    const question = { id: 'qabcdef', asks: 'tool', text, decisions: ['deny'] } as const;
    server.fleet.asked = { questions: [question], isBlind: false, isComing: false };
    return [
      { agent: 'peer' },
      { agent: hostile.text('argument.agent').slice(0, 200) },
      {
        agent: 'peer',
        question: hostile.text('argument.question').slice(0, 200),
        decision: 'deny',
      },
    ];
  },
  check_inbox: async ({ server, hostile, caller }) => {
    await send(server, caller.name, hostile.text('message.body'));
    await give(server, 'agt_evil', caller.id, hostile.text('task.body'));
    // Long ones come in parts.
    await send(server, caller.name, hostile.text('long.body').repeat(200));
    return [{}, { message: hostile.text('argument.message').slice(0, 200) }];
  },
  send_message: async ({ hostile }) => [
    { to: 'peer', body: hostile.text('argument.body') },
    { to: hostile.text('argument.to').slice(0, 200), body: 'x' },
    { to: 'peer', body: 'x', [hostile.text('argument.unknown')]: 1 },
  ],
  ack: async ({ hostile }) => [{ ids: [hostile.text('argument.ids').slice(0, 200)] }],
  assign: async ({ hostile }) => [
    { profile: 'peer', task: hostile.text('argument.task') },
    { profile: hostile.text('argument.profile').slice(0, 200), task: 'x' },
  ],
  handoff: async ({ server, hostile }) => {
    const answer = { kind: 'message', from: 'agt_evil' } as const;
    // It answers as soon as it is asked.
    void untilAsked(server, answer.from).then(({ id, from }) =>
      server.post(
        '/messages',
        { to: from, body: hostile.text('answer.body'), replyTo: id },
        { 'signalbox-agent': answer.from },
      ),
    );
    return [{ profile: 'agt_evil', task: 'work', timeout_seconds: 20 }];
  },
};

async function untilAsked(server: TestServer, worker: string) {
  return await waitUntil('the task', async () => {
    const [debt] = await server.ledger.read((tx) => tx.debts.listOwedBy(worker));
    return debt && { id: debt.task, from: debt.creditor };
  });
}

async function openWorld(): Promise<World> {
  const hostile = new Hostile();
  const server = new TestServer();
  const caller = await addRunning(server, 'caller');
  const peer = await addRunning(server, 'peer');
  const now = systemClock.now();
  // A name that no signalbox gives: of another's ledger, or an older one.
  await server.ledger.write((tx) =>
    tx.agents.insert({
      ...{ id: 'agt_evil', name: hostile.text('agent.name'), session: 'default', epoch: 1 },
      ...{ provider: hostile.text('agent.provider'), backend: 'none', source: 'none' },
      ...{ status: 'waiting', detail: hostile.text('agent.detail'), parent: peer.id },
      ...{ since: now, createdAt: now, notify: true, cwd: hostile.text('agent.cwd') },
    }),
  );
  await give(server, 'agt_evil', peer.id);
  server.fleet.lives.set(peer.id, {
    ...{ status: 'waiting', composer: 'draft', source: 'screen', since: now, revision: 1 },
    detail: hostile.text('live.detail'),
    notes: [hostile.text('live.notes')],
  } as never);
  server.fleet.output = async () =>
    ({ text: hostile.text('output.text'), response: 'partial', searched: ['screen'] }) as never;
  server.delivery.trouble = {
    blocked: { code: 'native-blocked', why: hostile.text('delivery.broken') },
    ...{ cannot: undefined, isTried: true, meanwhile: 'deaf' },
  };
  return { server, hostile, caller };
}

/** Every text in a document. */
function listTexts(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(listTexts);
}

test('rule 47: every tool is in the walk', () => {
  expect(Object.keys(walks).toSorted()).toEqual(tools.map(({ name }) => name).toSorted());
});

test('rule 47: no tool passes hidden characters, fences, headers or marks of others on to a model', async () => {
  const fields = new Set<string>();
  let texts = 0;
  let calls = 0;
  let all = '';
  for (const [name, prepare] of Object.entries(walks)) {
    const world = await openWorld();
    for (const args of await prepare(world)) {
      const { result, text } = await callTool(world.server, world.caller, name, args);
      calls++;
      const what = `${name} ${JSON.stringify(args).slice(0, 60)}`;
      const [, mark = ''] = /<signalbox (box_\w{16})>/.exec(text) ?? [];
      const short = mark.slice(-8);
      const fences = [`<signalbox ${mark}>`, `</signalbox ${short}>`];
      const isOurs = (line: string): boolean =>
        mark !== '' && (line.startsWith(`--- ${short} `) || fences.includes(line));
      const foreign = readCarelessly(text).filter((line) => !isOurs(line));
      expect({ what, hidden: findHidden(text), foreign }).toEqual({
        what,
        hidden: [],
        foreign: [],
      });
      for (const one of listTexts(result)) {
        texts++;
        const seen = { hidden: findHidden(one), lines: readCarelessly(one) };
        expect({ what, ...seen }).toEqual({ what, hidden: [], lines: [] });
        expect(one).not.toMatch(/mark_\w{16}/);
      }
      expect(text).not.toMatch(/mark_\w{16}/);
      all += text + JSON.stringify(result);
    }
    for (const field of world.hostile.fields) fields.add(field);
  }
  const shown = [...fields].filter((field) => all.includes(`${field} `));
  process.stdout.write(
    `hostile texts to models: ${calls} calls, ${fields.size} fields (${shown.length} shown), ${texts} texts of documents\n`,
  );
  // A walk that shows nothing proves nothing.
  expect(shown).toEqual(
    expect.arrayContaining([
      ...['agent.name', 'agent.provider', 'agent.detail', 'live.detail', 'output.text'],
      ...['message.body', 'task.body', 'long.body', 'answer.body', 'delivery.broken'],
    ]),
  );
});
