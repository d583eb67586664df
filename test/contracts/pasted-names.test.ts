import { describe, expect, test } from 'vitest';
import { type Agent, userAgentId } from '../../src/agents/agent.ts';
import { nameTo } from '../../src/delivery/name-to.ts';
import { insertReminder } from '../../src/delivery/remind-debtor.ts';
import { addRunning, as, send } from '../support/mail.ts';
import { callTool } from '../support/mcp.ts';
import { read, TestServer } from '../support/server.ts';

/**
 * What is written for an agent or into an inbox: its reader can give each name back, and means the
 * agent that it is about.
 */
async function openTwo() {
  const server = new TestServer();
  const shop = await addRunning(server, 'lead', 'tok_shop', 'shop');
  const blog = await addRunning(server, 'lead', 'tok_blog', 'blog');
  const worker = await addRunning(server, 'worker', undefined, 'blog');
  const inboxOf = async ({ id }: Pick<Agent, 'id'>): Promise<readonly string[]> => {
    const { messages } = await read(await server.ask(`/agents/${id}/inbox`));
    return messages.map(({ body }: { body: string }) => body);
  };
  return { server, shop, blog, worker, inboxOf };
}

async function give(server: TestServer, by: Agent, to: string): Promise<void> {
  const given = await server.post('/tasks', { to, task: 'x', cwd: '/', env: {} }, as(by));
  expect(given.status).toBe(201);
}

const user = { id: userAgentId };

describe('to an agent', () => {
  test('a name alone is the one of its own session, and others are written in full', async () => {
    const { server, shop, blog, worker } = await openTwo();
    const seen = await server.ledger.read(async (tx) => [
      await nameTo(tx, worker.id, blog.id),
      await nameTo(tx, worker.id, shop.id),
      await nameTo(tx, shop.id, worker.id),
      await nameTo(tx, shop.id, userAgentId),
      await nameTo(tx, shop.id, 'agt_forgotten'),
    ]);
    expect(seen).toEqual(['lead', 'shop/lead', 'blog/worker', 'user', 'agt_forgotten']);
  });

  test('a reminder names whoever waits, and a bounce whom it did not reach', async () => {
    const { server, shop, blog, worker, inboxOf } = await openTwo();
    await give(server, shop, 'blog/lead');
    const [debt] = await server.ledger.read((tx) => tx.debts.listOwedBy(blog.id));
    if (!debt) throw new Error('no debt');
    await server.ledger.write((tx) => insertReminder(tx, 1, debt));
    expect((await inboxOf(blog)).at(-1)).toMatch(/^shop\/lead still waits for your answer/);
    await callTool(server, worker, 'send_message', { to: 'shop/lead', body: 'x' });
    await server.ask(`/agents/${shop.id}`, { method: 'DELETE' });
    expect((await inboxOf(worker)).at(-1)).toMatch(/ to shop\/lead was not delivered/);
  });

  test.each([
    ['send_message', { to: 'blog/lead', body: 'x' }, /^Sent to blog\/lead as lead:\d+/],
    ['send_message', { to: 'lead', body: 'x' }, /^Sent to lead as lead:\d+/],
    ['assign', { profile: 'blog/worker', task: 'x' }, /^blog\/worker has the task/],
    [
      'handoff',
      { profile: 'blog/worker', task: 'x', timeout_seconds: 1 },
      /^blog\/worker has the task/,
    ],
    ['assign', { profile: 'blog/worker', task: 'x', name: 'y' }, /^"blog\/worker" is an agent/],
    ['get_output', { agent: 'blog/lead' }, /^"blog\/lead" is neither in your session/],
  ])('the result of %s with %j', async (tool, args, said) => {
    const { server } = await openTwo();
    const peer = await addRunning(server, 'peer', 'tok_peer', 'shop');
    const { text, result } = await callTool(server, peer, tool, args);
    expect(text).toMatch(said);
    // Codex 0.166.0 shows its model the document, and not the text.
    if (result?.agent !== undefined) expect(text.startsWith(result.agent)).toBe(true);
  });

  test('list_agents: every name in the document can be given back, too', async () => {
    const { server, shop, worker } = await openTwo();
    await give(server, shop, 'blog/lead');
    const { result } = await callTool(server, worker, 'list_agents');
    const names = result.agents.map(({ name }: { name: string }) => name);
    expect(names).toEqual(expect.arrayContaining(['user', 'lead', 'shop/lead', 'worker']));
    const lead = result.agents.find(({ name }: { name: string }) => name === 'lead');
    expect(lead.owes).toEqual([{ task: expect.any(String), to: 'shop/lead' }]);
  });
});

describe('to the user', () => {
  test('a name alone is one that only one living agent has', async () => {
    const { server, shop, blog, worker } = await openTwo();
    const names = () =>
      server.ledger.read(async (tx) =>
        Promise.all([shop, blog, worker].map(({ id }) => nameTo(tx, userAgentId, id))),
      );
    expect(await names()).toEqual(['shop/lead', 'blog/lead', 'worker']);
    await server.ask(`/agents/${shop.id}`, { method: 'DELETE' });
    // The one that is gone is still told from the one that lives.
    expect(await names()).toEqual(['shop/lead', 'lead', 'worker']);
  });

  test('a bounce names in full whom it did not reach, while another has that name', async () => {
    const { server, shop, inboxOf } = await openTwo();
    await send(server, 'shop/lead');
    await server.ask(`/agents/${shop.id}`, { method: 'DELETE' });
    expect((await inboxOf(user)).at(-1)).toMatch(/ to shop\/lead was not delivered/);
  });

  test('documents say that others have a name', async () => {
    const { server, shop, worker } = await openTwo();
    expect(await read(await server.ask(`/agents/${shop.id}`))).toMatchObject({ namesakes: true });
    expect(await read(await server.ask('/agents/worker'))).not.toHaveProperty('namesakes');
    await server.post('/messages', { to: worker.id, body: 'x' }, as(shop));
    const { messages } = await read(await server.ask('/agents/worker/inbox'));
    expect(messages[0]).toMatchObject({ from: { name: 'lead', session: 'shop', namesakes: true } });
    expect(messages[0].to).toEqual({ id: worker.id, name: 'worker', session: 'blog' });
  });
});
