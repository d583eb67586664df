import { expect, test } from 'vitest';
import { FakeDelivery, fakeAgentId } from '../../test/fakes/delivery.ts';
import { userAgentId } from '../agents/agent.ts';
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
