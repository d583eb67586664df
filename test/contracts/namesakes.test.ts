import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { type Agent, createUser } from '../../src/agents/agent.ts';
import { prune } from '../../src/delivery/prune.ts';
import { add } from '../../src/fleet/add.ts';
import { forgetAgents } from '../../src/fleet/forget-agents.ts';
import { remove } from '../../src/fleet/remove.ts';
import { resolveAgent, type Standpoint } from '../../src/fleet/resolve-agent.ts';
import { resolveMessage } from '../../src/fleet/resolve-message.ts';
import { tempHome } from '../support/home.ts';
import { openRepository } from '../support/repository.ts';
import { contract, type World } from './world.ts';

const user = createUser(0);

function put(world: World, name: string, session: string | undefined, cwd = ''): Promise<Agent> {
  return add(world.ledger, world.clock, { name, session, notify: true, cwd });
}

function resolve(world: World, reference: string, from?: Standpoint): Promise<string> {
  return world.ledger.read(async (tx) => (await resolveAgent(tx, reference, from)).id);
}

/** Two projects of one name, in two places, and one of another. */
function openProjects() {
  const folder = realpathSync(tempHome());
  const [shop, blog, other] = ['shop', 'blog', 'old/shop'].map(
    (path) => openRepository(join(folder, path)).path,
  );
  return { folder, shop: shop ?? '', blog: blog ?? '', other: other ?? '' };
}

contract('agents of one name', (check) => {
  check('a name is one agent’s in each session, and any number’s in the ledger', async (world) => {
    const shop = await put(world, 'lead', 'shop');
    const blog = await put(world, 'lead', 'blog');
    await expect(put(world, 'lead', 'shop')).rejects.toMatchObject({
      code: 'name-taken',
      message: 'There is already an agent named "lead" in the session "shop".',
      next: 'Choose another name, or remove it with `signalbox rm shop/lead`.',
    });
    const listed = await world.ledger.read((tx) => tx.agents.listByName('lead'));
    expect(listed.map(({ id }) => id)).toEqual([blog.id, shop.id]);
  });

  check('whatever reads an agent says whether others that live have its name', async (world) => {
    const shop = await put(world, 'lead', 'shop');
    const look = (id: string) =>
      world.ledger.read(async (tx) => {
        const named = await tx.agents.listNames([id]);
        const all = [
          await tx.agents.find(id),
          ...(await tx.agents.list()),
          ...(await tx.agents.listByName('lead')),
        ].filter((one) => one?.id === id);
        return [named.get(id), ...all].map((one) => one?.namesakes === true);
      });
    expect(await look(shop.id)).toEqual([false, false, false, false]);
    const blog = await put(world, 'lead', 'blog');
    expect(blog.namesakes).toBe(true);
    expect(await look(shop.id)).toEqual([true, true, true, true]);
    await remove(world.ledger, world.here, blog.id);
    expect(await look(shop.id)).toEqual([false, false, false, false]);
    // One that is gone is told from the one that lives, and is nobody's namesake.
    expect((await look(blog.id)).slice(0, 2)).toEqual([true, true]);
    const child = await put(world, 'child', 'shop');
    await world.ledger.write((tx) => tx.agents.setParent(child.id, shop.id));
    await put(world, 'child', 'blog');
    const children = await world.ledger.read((tx) => tx.agents.listChildren(shop.id));
    expect(children).toMatchObject([{ id: child.id, namesakes: true }]);
  });

  check('one that only looks like a name of another session is refused', async (world) => {
    await put(world, 'lead', 'shop');
    await expect(put(world, 'l\u0435ad', 'blog')).rejects.toMatchObject({ code: 'name-taken' });
  });

  check('a name means the caller’s own session, and a full name any', async (world) => {
    const shop = await put(world, 'lead', 'shop');
    const blog = await put(world, 'lead', 'blog');
    const worker = await put(world, 'worker', 'blog');
    expect(await resolve(world, 'lead', { agent: worker })).toBe(blog.id);
    expect(await resolve(world, 'shop/lead', { agent: worker })).toBe(shop.id);
    expect(await resolve(world, 'self', { agent: worker })).toBe(worker.id);
    expect(await resolve(world, 'worker', { agent: shop })).toBe(worker.id);
    expect(await resolve(world, 'user', { agent: worker })).toBe(user.id);
  });

  check('else the project’s, else the only one; of several none', async (world) => {
    const { folder, shop, blog } = openProjects();
    const inShop = await put(world, 'lead', undefined, shop);
    expect(await resolve(world, 'lead', { agent: user, folder: blog })).toBe(inShop.id);
    const inBlog = await put(world, 'lead', undefined, blog);
    expect(await resolve(world, 'lead', { agent: user, folder: shop })).toBe(inShop.id);
    expect(await resolve(world, 'lead', { agent: user, folder: blog })).toBe(inBlog.id);
    const ambiguous = {
      code: 'name-ambiguous',
      message: 'Several agents are named "lead": blog/lead, shop/lead.',
      next: 'Write the full name of the one that you mean.',
    };
    for (const from of [undefined, { agent: user }, { agent: user, folder }]) {
      await expect(resolve(world, 'lead', from)).rejects.toMatchObject(ambiguous);
    }
    // An agent of a third session stands in the project of its own folder.
    const guest = await put(world, 'guest', 'review', shop);
    expect(await resolve(world, 'lead', { agent: guest, folder: shop })).toBe(inShop.id);
    await remove(world.ledger, world.here, inBlog.id);
    expect(await resolve(world, 'lead')).toBe(inShop.id);
  });

  check('a name that is not there says where it is', async (world) => {
    await put(world, 'lead', 'shop');
    await put(world, 'tester', 'shop');
    const told = (reference: string) =>
      resolve(world, reference).catch(({ code, message, next }) => [code, message, next]);
    expect(await told('blog/lead')).toEqual([
      'agent-not-found',
      'No agent named "lead" in the session "blog".',
      'There is shop/lead.',
    ]);
    expect((await told('shop/testr'))[2]).toBe('Did you mean "shop/tester"?');
    expect((await told('testr'))[2]).toBe('Did you mean "tester"?');
  });

  check('a short id means one message, whoever has the name', async (world) => {
    const shop = await put(world, 'lead', 'shop');
    const blog = await put(world, 'lead', 'blog');
    const sent = [await world.send(shop), await world.send(blog), await world.send(shop)];
    expect(sent.map(({ number }) => number)).toEqual([1, 2, 3]);
    const find = (reference: string) =>
      world.ledger.read(async (tx) => (await resolveMessage(tx, reference, user)).id);
    expect(await find('lead:2')).toBe(sent[1]?.id);
    expect(await find('shop/lead:3')).toBe(sent[2]?.id);
    for (const none of ['shop/lead:2', 'lead:9']) {
      await expect(find(none)).rejects.toMatchObject({ code: 'message-not-found' });
    }
  });
});

contract('the session of a project', (check) => {
  check('is named after its root, which it remembers; outside it is default', async (world) => {
    const { folder, shop } = openProjects();
    expect((await put(world, 'a', undefined, shop)).session).toBe('shop');
    expect((await put(world, 'b', undefined, join(shop, '.'))).session).toBe('shop');
    expect((await put(world, 'c', undefined, folder)).session).toBe('default');
    expect((await put(world, 'd', undefined)).session).toBe('default');
    expect(await world.ledger.read((tx) => tx.agents.findRoot('shop'))).toBe(shop);
  });

  check('is another for another root of that name, also after the first is gone', async (world) => {
    const { shop, other } = openProjects();
    const first = await put(world, 'a', undefined, shop);
    expect((await put(world, 'a', undefined, other)).session).toBe('shop-2');
    await remove(world.ledger, world.here, first.id);
    expect((await put(world, 'b', undefined, other)).session).toBe('shop-2');
    expect((await put(world, 'b', undefined, shop)).session).toBe('shop');
  });

  check('may be one that somebody named so before', async (world) => {
    const { shop } = openProjects();
    await put(world, 'a', 'shop');
    expect((await put(world, 'b', undefined, shop)).session).toBe('shop');
    await expect(put(world, 'a', undefined, shop)).rejects.toMatchObject({ code: 'name-taken' });
  });

  check('never looks like another one', async (world) => {
    await put(world, 'a', 'sh\u043ep');
    const { shop } = openProjects();
    expect((await put(world, 'b', undefined, shop)).session).toBe('shop-2');
  });

  check('is forgotten with its last agent', async (world) => {
    const { shop, other } = openProjects();
    const agent = await put(world, 'a', undefined, shop);
    await remove(world.ledger, world.here, agent.id);
    world.clock.pass(30 * 86_400_000);
    await prune(world.ledger, world.clock, 86_400_000);
    const { agents } = await forgetAgents(world.ledger, world.clock, 86_400_000);
    expect(agents).toEqual([agent.id]);
    expect((await put(world, 'b', undefined, other)).session).toBe('shop');
  });
});
