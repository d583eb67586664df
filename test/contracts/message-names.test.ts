import { expect } from 'vitest';
import { type Agent, createUser } from '../../src/agents/agent.ts';
import { nameMessages } from '../../src/delivery/name-messages.ts';
import { remove } from '../../src/fleet/remove.ts';
import { resolveMessage } from '../../src/fleet/resolve-message.ts';
import { contract, type World } from './world.ts';

const user = createUser(0);

function resolve(world: World, reference: string, caller: Agent): Promise<string> {
  return world.ledger.read(async (tx) => (await resolveMessage(tx, reference, caller)).id);
}

contract('the name of a message', (check) => {
  check('is its id, its number to its recipient, and both names to others', async (world) => {
    const ada = await world.add('ada');
    const ben = await world.add('ben');
    const first = await world.send(ada, { from: ben.id });
    const second = await world.send(ada);
    const other = await world.send(ben);
    for (const name of [second.id, '2', 'ada:2', 'self:2', `${ada.id}:2`, 'default/ada:2']) {
      expect(await resolve(world, name, ada)).toBe(second.id);
    }
    expect(await resolve(world, '1', ben)).toBe(other.id);
    expect(await resolve(world, 'ada:1', ben)).toBe(first.id);
    expect(await resolve(world, 'ada:1', user)).toBe(first.id);
  });

  check('is found in the inbox of an agent that was removed', async (world) => {
    const ada = await world.add('ada');
    const { id } = await world.send(ada);
    await remove(world.ledger, world.here, ada.id, true);
    expect(await resolve(world, 'ada:1', user)).toBe(id);
    const again = await world.add('ada');
    const next = await world.send(again);
    expect(await resolve(world, 'ada:1', user)).toBe(id);
    expect(await resolve(world, 'ada:2', user)).toBe(next.id);
  });

  check('is never guessed: what else has the number is only named', async (world) => {
    const [ada, ben] = [await world.add('ada'), await world.add('ben')];
    for (let i = 0; i < 3; i++) await world.send(ada, { from: ben.id });
    await world.send(ben);
    await expect(resolve(world, '3', ben)).rejects.toMatchObject({
      code: 'message-not-found',
      message: 'No message "3" in the inbox of ben.',
      next: 'There is ada:3: write it so if you mean it.',
    });
    // Somebody else's mail is not named to an agent; the user sees all.
    await world.send(ada);
    const told = (caller: Agent) =>
      resolve(world, '4', caller).catch(({ next }: { next: string }) => next);
    expect(await told(ben)).not.toContain('ada:4');
    expect(await told(user)).toContain('ada:4');
  });

  check('is refused where it is none', async (world) => {
    const ada = await world.add('ada');
    await world.send(ada);
    const none = ['0', '007', '-1', '1.0', '9999999999999999', 'ada:', ':1', 'ada:0x1', 'ada:77'];
    for (const reference of [...none, 'shop/ada:1', 'msg_none', '']) {
      const code = await resolve(world, reference, ada).catch((fault) => fault.code);
      expect(`${reference}: ${code}`).toBe(`${reference}: message-not-found`);
    }
    await expect(resolve(world, 'nobody:1', ada)).rejects.toMatchObject({
      code: 'agent-not-found',
    });
  });

  check('is written as its reader would write it', async (world) => {
    const [ada, ben] = [await world.add('ada'), await world.add('ben')];
    const own = await world.send(ada);
    const other = await world.send(ben);
    const nameOf = await world.ledger.read((tx) =>
      nameMessages(tx, ada.id, [own.id, other.id, 'msg_gone']),
    );
    expect([own.id, other.id, 'msg_gone'].map(nameOf)).toEqual(['1', 'ben:1', 'msg_gone']);
  });
});
