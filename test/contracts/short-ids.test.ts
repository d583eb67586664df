import { expect } from 'vitest';
import { prune } from '../../src/delivery/prune.ts';
import { forgetAgents } from '../../src/fleet/forget-agents.ts';
import { remove } from '../../src/fleet/remove.ts';
import { contract, type World } from './world.ts';

const dayMs = 86_400_000;

async function numbersTo(world: World, name: string, count: number): Promise<readonly unknown[]> {
  const to =
    (await world.ledger.read(async (tx) => (await tx.agents.listByName(name))[0])) ??
    (await world.add(name));
  const numbers: unknown[] = [];
  for (let i = 0; i < count; i++) numbers.push((await world.send(to)).number);
  return numbers;
}

async function removeNamed(world: World, name: string): Promise<void> {
  const agent = await world.ledger.read(async (tx) => (await tx.agents.listByName(name))[0]);
  await remove(world.ledger, world.here, agent?.id ?? '', true);
}

contract('the numbers of an inbox', (check) => {
  check('each message has the next number of its recipient, and of no other', async (world) => {
    expect(await numbersTo(world, 'ada', 3)).toEqual([1, 2, 3]);
    expect(await numbersTo(world, 'ben', 2)).toEqual([1, 2]);
    expect(await numbersTo(world, 'ada', 1)).toEqual([4]);
  });

  check('a number of a transaction that failed is the next one’s', async (world) => {
    const ada = await world.add('ada');
    const failing = world.ledger.write(async (tx) => {
      const row = { kind: 'message', from: 'user', to: ada.id, body: 'x' } as const;
      await tx.messages.insert([
        { id: 'msg_lost', state: 'queued', createdAt: 1, cause: 'accepted', ...row },
      ]);
      throw new Error('undone');
    });
    await expect(failing).rejects.toThrow('undone');
    expect(await numbersTo(world, 'ada', 2)).toEqual([1, 2]);
  });

  check('a number is not given again after its message was pruned', async (world) => {
    const ada = await world.add('ada');
    for (const expected of [1, 2, 3]) {
      const { id, number } = await world.send(ada);
      expect(number).toBe(expected);
      await world.ack(id);
      world.clock.pass(30 * dayMs);
      await prune(world.ledger, world.clock, 14 * dayMs);
    }
  });

  check('a new agent of an old name goes on behind the old one’s numbers', async (world) => {
    await numbersTo(world, 'ada', 3);
    await removeNamed(world, 'ada');
    expect(await numbersTo(world, 'ada', 2)).toEqual([4, 5]);
    const found = await world.ledger.read((tx) => tx.messages.listByNumber(2, { name: 'ada' }));
    expect(found).toHaveLength(1);
  });

  check('a number is not given again after its agent was forgotten', async (world) => {
    const ada = await world.add('ada');
    for (let i = 0; i < 5; i++) await world.ack((await world.send(ada)).id);
    await numbersTo(world, 'ben', 1);
    await removeNamed(world, 'ada');
    world.clock.pass(30 * dayMs);
    // The newest message of a ledger stays: it must name somebody else.
    await numbersTo(world, 'ben', 1);
    await prune(world.ledger, world.clock, 14 * dayMs);
    const { agents } = await forgetAgents(world.ledger, world.clock, 14 * dayMs);
    expect(agents).toEqual([ada.id]);
    expect(await numbersTo(world, 'ada', 1)).toEqual([6]);
    // A living agent keeps its own.
    expect(await numbersTo(world, 'ben', 1)).toEqual([3]);
  });

  check('a message is found by its number, in one inbox or in all', async (world) => {
    const ada = await world.add('ada');
    const ben = await world.add('ben');
    const first = await world.send(ada);
    const other = await world.send(ben);
    const list = (inbox?: { readonly id: string } | { readonly name: string }) =>
      world.ledger.read(async (tx) =>
        (await tx.messages.listByNumber(1, inbox)).map(({ id }) => id),
      );
    expect(await list({ id: ada.id })).toEqual([first.id]);
    expect(await list({ name: 'ben' })).toEqual([other.id]);
    expect(await list({ name: 'nobody' })).toEqual([]);
    expect(await list()).toEqual([other.id, first.id]);
  });
});
