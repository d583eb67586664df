import { describe, expect, test } from 'vitest';
import { addRunning, as, fault } from '../support/mail.ts';
import { callTool } from '../support/mcp.ts';
import { read, TestServer } from '../support/server.ts';

const debts = (server: TestServer, of: string) =>
  server.ledger.read((tx) => tx.debts.listOwedBy(of));

describe('an agent that runs, and a profile or provider of its name', () => {
  test('the agent gets the task, and the result says how to name the other', async () => {
    const server = new TestServer();
    const lead = await addRunning(server, 'lead');
    const worker = await addRunning(server, 'reviewer');
    await addRunning(server, 'codex');
    const { result, text } = await callTool(server, lead, 'assign', {
      ...{ profile: 'reviewer', task: 'x' },
    });
    expect(result).toMatchObject({ agent: 'reviewer', also: 'profile:reviewer' });
    expect(await debts(server, worker.id)).toHaveLength(1);
    expect(text).toContain(
      'It was running already; "profile:reviewer" would launch another from the profile of that name.',
    );
    const other = await callTool(server, lead, 'assign', { profile: 'codex', task: 'x' });
    expect(other.result.also).toBe('provider:codex');
    expect(other.text).toContain('"provider:codex" would launch another from the provider');
    const launched = await callTool(server, lead, 'assign', {
      ...{ profile: 'profile:reviewer', task: 'x', name: 'second' },
    });
    expect(launched.result).not.toHaveProperty('also');
    expect(server.fleet.launches.at(-1)).toMatchObject({ role: { profile: 'reviewer' } });
    const asked = { profile: 'reviewer', task: 'y', timeout_seconds: 1 };
    const handed = await callTool(server, lead, 'handoff', asked);
    expect(handed.result).toMatchObject({ outcome: 'pending', also: 'profile:reviewer' });
    const over = { to: 'reviewer', task: 'z', cwd: '/', env: {} };
    expect(await read(await server.post('/tasks', over))).toMatchObject({
      also: 'profile:reviewer',
    });
  });

  test('what is for a launch is not dropped in silence when the agent runs', async () => {
    const server = new TestServer();
    const lead = await addRunning(server, 'lead');
    const worker = await addRunning(server, 'reviewer');
    const named = { profile: 'reviewer', task: 'x', name: 'second' };
    const refused = await callTool(server, lead, 'assign', named);
    expect(refused.text).toBe(
      '"reviewer" is an agent that runs, and a name is for one that is launched; nothing was done. Leave it out, or launch another with "profile:reviewer".',
    );
    const model = { to: 'reviewer', task: 'x', cwd: '/', env: {}, model: 'opus' };
    expect(await fault(await server.post('/tasks', model))).toEqual([400, 'invalid-input']);
    expect(await debts(server, worker.id)).toEqual([]);
    // Its own name takes nothing away.
    const same = { profile: 'reviewer', task: 'x', name: 'reviewer' };
    expect((await callTool(server, lead, 'assign', same)).result.agent).toBe('reviewer');
  });
});

describe('two agents of one name, in two sessions', () => {
  async function openTwo() {
    const server = new TestServer();
    const shop = await addRunning(server, 'lead', 'tok_shop', 'shop');
    const blog = await addRunning(server, 'lead', 'tok_blog', 'blog');
    const worker = await addRunning(server, 'worker', undefined, 'blog');
    const guest = await addRunning(server, 'guest', undefined, 'review');
    return { server, shop, blog, worker, guest };
  }
  const inbox = async (server: TestServer, of: { readonly id: string }) =>
    (await read(await server.ask(`/agents/${of.id}/inbox`))).messages;

  test('a tool’s name means the caller’s own session, and a full name any', async () => {
    const { server, shop, blog, worker } = await openTwo();
    await callTool(server, worker, 'send_message', { to: 'lead', message: 'near' });
    await callTool(server, worker, 'send_message', { to: 'shop/lead', message: 'far' });
    expect(await inbox(server, blog)).toMatchObject([{ body: 'near', short: 'lead:1' }]);
    expect(await inbox(server, shop)).toMatchObject([
      {
        body: 'far',
        short: 'lead:2',
        from: { id: worker.id, name: 'worker', session: 'blog' },
        to: { id: shop.id, name: 'lead', session: 'shop' },
      },
    ]);
    await callTool(server, worker, 'assign', { profile: 'lead', task: 'x' });
    expect((await debts(server, blog.id)).map(({ creditor }) => creditor)).toEqual([worker.id]);
    expect(await debts(server, shop.id)).toEqual([]);
    await callTool(server, worker, 'assign', { profile: 'shop/lead', task: 'y' });
    expect(await debts(server, shop.id)).toHaveLength(1);
  });

  test('of several none is chosen: the result names them in full, and nothing is sent', async () => {
    const { server, shop, blog, guest } = await openTwo();
    const said = 'Several agents are named "lead": blog/lead, shop/lead.';
    for (const [tool, args] of [
      ['send_message', { to: 'lead', message: 'x' }],
      ['assign', { profile: 'lead', task: 'x' }],
      ['get_output', { agent: 'lead' }],
    ] as const) {
      expect((await callTool(server, guest, tool, args)).text).toContain(said);
    }
    const sent = await server.post('/messages', { to: 'lead', body: 'x' });
    expect([sent.status, (await read(sent)).error]).toMatchObject([
      400,
      { code: 'name-ambiguous', message: said },
    ]);
    const task = { to: 'lead', task: 'x', cwd: '/', env: {} };
    expect(await fault(await server.post('/tasks', task))).toEqual([400, 'name-ambiguous']);
    for (const one of [shop, blog]) expect(await inbox(server, one)).toEqual([]);
    const named = await server.ask(`/agents/${encodeURIComponent('shop/lead')}`);
    expect(await read(named)).toMatchObject({ id: shop.id, session: 'shop' });
    const asked = await server.ask('/agents', { headers: { 'signalbox-agent': 'lead' } });
    expect(asked.status).toBe(400);
  });

  test('whoever reads a name can give it back: those of other sessions are written in full', async () => {
    const { server, shop, worker } = await openTwo();
    const { text, result } = await callTool(server, worker, 'list_agents');
    expect(text).toMatch(/^lead · scripted · idle · session blog$/m);
    expect(text).toMatch(/^shop\/lead · scripted · idle · session shop$/m);
    expect(result.agents.map(({ name }: { name: string }) => name)).toContain('lead');
    await server.post('/messages', { to: worker.id, body: 'hello' }, as(shop));
    const checked = await callTool(server, worker, 'check_inbox');
    expect(checked.text).toContain('message from shop/lead (peer)');
  });
});
