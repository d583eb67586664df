import { expect, test } from 'vitest';
import { FakeDelivery, fakeAgentId } from '../../test/fakes/delivery.ts';
import { createPuller, userAgentId } from '../agents/agent.ts';
import { Bus } from '../events/bus.ts';
import { awaitAnswer } from './await-answer.ts';

/** A task whose debtor was reminded in vain: the user has been told, by a notice that waits in the inbox. */
async function toldInVain() {
  const fake = await FakeDelivery.open();
  const { ledger, clock, parts } = fake;
  const { id: task } = await fake.send({ kind: 'task' });
  const now = clock.now();
  await ledger.write(async (tx) => {
    const notice = { kind: 'notice', from: fakeAgentId, to: userAgentId, state: 'queued' } as const;
    const body = 'it has not answered';
    await tx.messages.insert([{ ...notice, id: 'msg_told', createdAt: now, body, cause: 'told' }]);
    await tx.debts.setTold(task, 'msg_told', now);
  });
  const unused = (): never => {
    throw new Error('nothing is launched here');
  };
  const bus = new Bus({ clock, boot: 'boot1', onError: unused });
  const team = {
    ...{ ledger, surroundings: parts.surroundings, bus },
    ...{ fleet: { launch: unused }, findTarget: unused },
  };
  const wait = () =>
    awaitAnswer(team, { task, limitMs: 1000, signal: new AbortController().signal });
  const answer = () =>
    fake.send({ from: fakeAgentId, to: userAgentId, body: 'late', replyTo: [task] });
  return { fake, task, wait, answer };
}

test('rules 30, 31: an answer after the word that none came is a message, claimed for nobody who is gone', async () => {
  const { fake, task, wait, answer } = await toldInVain();
  const told = await wait();
  expect(told).toMatchObject({ outcome: 'unanswered', message: { id: 'msg_told' } });
  await told.finish();
  expect(await fake.find('msg_told')).toMatchObject({ state: 'acked' });
  const { id } = await answer();
  expect(await fake.find(id)).toMatchObject({ state: 'queued' });
  expect(await fake.ledger.read((tx) => tx.debts.find(task))).toMatchObject({ end: 'answered' });
});

test('rule 31: an answer that came before the wait is taken, and the word that none came stays a message', async () => {
  const { fake, wait, answer } = await toldInVain();
  const { id } = await answer();
  const taken = await wait();
  expect(taken).toMatchObject({ outcome: 'answered', message: { id } });
  await taken.finish();
  expect(await fake.find(id)).toMatchObject({ state: 'acked' });
  expect(await fake.find('msg_told')).toMatchObject({ state: 'queued' });
});

/** Gemini CLI 0.61.0 drops a call that a person breaks off, and tells its server nothing: only its status shows it. */
async function brokenOff(restsInMs: number) {
  const fake = await FakeDelivery.open();
  const { ledger, clock, parts } = fake;
  const giver = 'agt_giver';
  const row = { ...createPuller(giver, clock.now()), name: 'giver', provider: 'forgetful' };
  await ledger.write(async (tx) => {
    await tx.agents.insert({ ...row, session: 'default', notify: false, cwd: '/srv/app' });
    const since = clock.now() + restsInMs;
    await tx.agents.setStatus(giver, { status: 'completed', source: 'screen', since });
  });
  const { id: task } = await fake.send({ kind: 'task', from: giver });
  const unused = (): never => {
    throw new Error('nothing is launched here');
  };
  const team = {
    ...{ ledger, surroundings: parts.surroundings, fleet: { launch: unused }, findTarget: unused },
    bus: new Bus({ clock, boot: 'boot1', onError: unused }),
    forgetsCalls: async (provider: string) => provider === 'forgetful',
  };
  const wait = (more = {}) =>
    awaitAnswer(
      { ...team, ...more },
      { task, limitMs: 60_000, signal: AbortSignal.timeout(60_000) },
    );
  const answer = () => fake.send({ from: fakeAgentId, to: giver, body: 'done', replyTo: [task] });
  return { fake, wait, answer };
}

test('rule 31: an agent that rests waits for no call; the answer comes as a message', async () => {
  const { fake, wait, answer } = await brokenOff(1000);
  const startedAt = fake.clock.now();
  expect(await wait()).toMatchObject({ outcome: 'pending' });
  expect(fake.clock.now() - startedAt).toBeLessThan(10_000);
  const { id } = await answer();
  expect(await fake.find(id)).toMatchObject({ state: 'queued' });
});

test('rules 17, 31: an answer that comes just after a call was broken off is offered again, marked', async () => {
  const { fake, wait, answer } = await brokenOff(0);
  const { id } = await answer();
  expect(await wait()).toMatchObject({ outcome: 'pending' });
  expect(await fake.find(id)).toMatchObject({ state: 'uncertain' });
});

test('rule 31: where a CLI cancels its calls, or never rested in this one, its rest says nothing', async () => {
  const cancels = await brokenOff(0);
  await cancels.answer();
  const others = { forgetsCalls: async () => false };
  expect(await cancels.wait(others)).toMatchObject({ outcome: 'answered' });
  const before = await brokenOff(-5000);
  await before.answer();
  expect(await before.wait()).toMatchObject({ outcome: 'answered' });
});
