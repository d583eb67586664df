import { expect } from 'vitest';
import type { Agent } from '../../src/agents/agent.ts';
import { recordInjected } from '../../src/delivery/claim.ts';
import { prove } from '../../src/delivery/prove.ts';
import { resolve } from '../../src/delivery/resolve.ts';
import type { Claim } from '../../src/messages/claim.ts';
import { viewStory } from '../../src/protocol/story.ts';
import { contract, type World } from './world.ts';

async function inject(world: World, to: Agent): Promise<Claim> {
  const { claim } = await world.take(to, 'native', { provable: true, epoch: to.epoch });
  await world.ledger.write((tx) => recordInjected(tx, world.clock.now(), claim.token, 'taken'));
  return claim;
}

contract('the numbers of attempts', (check) => {
  check('count the attempts of one message, and its history names them so', async (world) => {
    const [worker, other] = [await world.add('worker'), await world.add('other')];
    // Tokens count all claims of the ledger.
    await world.send(other);
    await inject(world, other);
    const { id } = await world.send(worker);
    await inject(world, worker);
    const first = await world.message(id);
    const now = world.clock.now();
    await world.ledger.write((tx) => resolve(tx, now, first, 'absent', 'no record of it'));
    const { mark, token } = await inject(world, worker);
    await world.ledger.write((tx) => prove(tx, now, { mark, evidence: 'an answer' }));
    const message = await world.message(id);
    const story = await world.ledger.read((tx) => viewStory(tx, message));
    expect(token).toBe(3);
    expect(story.attempts.map(({ number }) => number)).toEqual([1, 2]);
    const [last] = story.history.slice(-1);
    expect(last).toMatchObject({
      code: 'read',
      attempt: 2,
      cause: 'read by the model (attempt 2)',
    });
    expect(story.history.map(({ attempt }) => attempt)).toEqual([undefined, 1, 1, 1, 2, 2, 2]);
    expect(story.history.every((row) => !('token' in row))).toBe(true);
  });
});
