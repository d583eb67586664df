import { expect, test } from 'vitest';
import { FakeDelivery, fakeAgentId } from '../../test/fakes/delivery.ts';
import { userAgentId } from '../agents/agent.ts';
import { countWake } from '../delivery/budgets.ts';
import { commit } from '../delivery/deliver.ts';
import { viewStory } from '../protocol/story.ts';
import { findWaiting } from './doctor-waiting.ts';

const threeMinutesMs = 180_000;

async function open() {
  const fake = await FakeDelivery.open();
  const { ledger, parts } = fake;
  const budgets = { wakes: 1, scripts: 60 };
  const look = async () => {
    const agents = await ledger.read((tx) => tx.agents.list());
    const context = { ledger, surroundings: parts.surroundings, budgets };
    return findWaiting(context, agents, async (id) => {
      const message = await fake.find(id);
      return ledger.read((tx) => viewStory(tx, message));
    });
  };
  return { fake, look };
}

test('rule 42: an inbox is listed when its oldest message has been open for 3 minutes, not before', async () => {
  const { fake, look } = await open();
  const { id } = await fake.send();
  fake.clock.pass(threeMinutesMs - 1);
  await fake.send();
  expect(await look()).toEqual([]);
  fake.clock.pass(1);
  expect(await look()).toMatchObject([{ agent: { name: 'lead' }, message: id }]);
});

test('rules 8, 42: what is in unproven is open; on a route without proof it is at its end', async () => {
  const { fake, look } = await open();
  await fake.send();
  const unprovable = fake.recipient({ ways: { provable: [] } });
  await commit(fake.parts, await fake.pack('native', unprovable), 'in');
  const { id } = await fake.send();
  await commit(fake.parts, await fake.pack('native'), 'in');
  fake.clock.pass(threeMinutesMs);
  expect((await look()).map(({ message }) => message)).toEqual([id]);
});

test('rule 21: what a budget holds back is listed at once, with the time it will go', async () => {
  const { fake, look } = await open();
  const held = await fake.send({ from: fakeAgentId });
  expect(await look()).toEqual([]);
  const now = fake.clock.now();
  await fake.ledger.write((tx) => countWake(tx, fakeAgentId, [held], now));
  const until = new Date(now + 3_600_000).toISOString();
  expect(await look()).toMatchObject([{ message: held.id, until }]);
});

test('the user reads when it suits: that inbox is never listed', async () => {
  const { fake, look } = await open();
  await fake.send({ from: fakeAgentId, to: userAgentId });
  fake.clock.pass(threeMinutesMs);
  expect(await look()).toEqual([]);
});
