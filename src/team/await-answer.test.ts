import { expect, test } from 'vitest';
import { FakeDelivery, fakeAgentId } from '../../test/fakes/delivery.ts';
import { createPuller, userAgentId } from '../agents/agent.ts';
import { Bus } from '../events/bus.ts';
import { awaitAnswer } from './await-answer.ts';
import { forgottenMs } from './watch-caller.ts';

/**
 * A task whose debtor was reminded in vain: the user has been told, by a notice that waits in the
 * inbox.
 */
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

/**
 * Gemini CLI 0.61.0 drops a call that a person breaks off, and tells its server nothing: only its
 * status shows it.
 */
async function brokenOff(rests: 'before the call' | 'in the call') {
  const fake = await FakeDelivery.open();
  const { ledger, clock, parts } = fake;
  const giver = 'agt_giver';
  const row = { ...createPuller(giver, clock.now()), name: 'giver', provider: 'forgetful' };
  const show = (status: 'processing' | 'completed') =>
    ledger.write((tx) =>
      tx.agents.setStatus(giver, { status, source: 'screen', since: clock.now() }),
    );
  await ledger.write((tx) =>
    tx.agents.insert({ ...row, session: 'default', notify: false, cwd: '/srv/app' }),
  );
  await show(rests === 'before the call' ? 'completed' : 'processing');
  clock.pass(1000);
  const { id: task } = await fake.send({ kind: 'task', from: giver });
  const unused = (): never => {
    throw new Error('nothing is launched here');
  };
  const team = {
    ...{ ledger, surroundings: parts.surroundings, fleet: { launch: unused }, findTarget: unused },
    bus: new Bus({ clock, boot: 'boot1', onError: unused }),
    forgetsCalls: async (provider: string) => {
      // The wait has begun, and has looked at its caller.
      if (rests === 'in the call') await show('completed');
      return provider === 'forgetful';
    },
  };
  const wait = (more = {}, signal = AbortSignal.timeout(60_000)) =>
    awaitAnswer({ ...team, ...more }, { task, limitMs: 60_000, signal });
  const answer = () => fake.send({ from: fakeAgentId, to: giver, body: 'done', replyTo: [task] });
  return { fake, wait, answer };
}

test('rule 31: an agent that rests waits for no call; the answer comes as a message', async () => {
  const { fake, wait, answer } = await brokenOff('in the call');
  const startedAt = fake.clock.now();
  expect(await wait()).toMatchObject({ outcome: 'pending' });
  expect(fake.clock.now() - startedAt).toBeLessThan(10_000);
  const { id } = await answer();
  expect(await fake.find(id)).toMatchObject({ state: 'queued' });
});

test.each([-3_600_000, 3_600_000])(
  'rules 5, 31: a clock that is set by %d ms in the call changes nothing',
  async (ms) => {
    const { fake, wait } = await brokenOff('in the call');
    const startedAtMs = fake.clock.monotonicMs();
    const waiting = wait();
    fake.clock.setWall(fake.clock.now() + ms);
    expect(await waiting).toMatchObject({ outcome: 'pending' });
    const tookMs = fake.clock.monotonicMs() - startedAtMs;
    expect([tookMs >= forgottenMs, tookMs < 10_000]).toEqual([true, true]);
  },
);

test('rules 17, 31: an answer that comes just after a call was broken off is a message, and no repeat', async () => {
  const { fake, wait, answer } = await brokenOff('in the call');
  const { id } = await answer();
  expect(await wait()).toMatchObject({ outcome: 'pending' });
  expect(await fake.find(id)).toMatchObject({ state: 'queued', mayRepeat: false });
});

test('rules 17, 31: so is one that is found when the call was cancelled, since nothing of it has left', async () => {
  const { fake, wait, answer } = await brokenOff('before the call');
  const { id } = await answer();
  const cancelled = { forgetsCalls: async () => false };
  expect(await wait(cancelled, AbortSignal.abort())).toMatchObject({ outcome: 'pending' });
  expect(await fake.find(id)).toMatchObject({ state: 'queued', mayRepeat: false });
});

test('rule 31: where a CLI cancels its calls, or never rested in this one, its rest says nothing', async () => {
  const cancels = await brokenOff('in the call');
  await cancels.answer();
  const others = { forgetsCalls: async () => false };
  expect(await cancels.wait(others)).toMatchObject({ outcome: 'answered' });
  const before = await brokenOff('before the call');
  await before.answer();
  expect(await before.wait()).toMatchObject({ outcome: 'answered' });
});

/** Two tasks of one giver, each waited for in a call of its own. */
async function twoWaits() {
  const fake = await FakeDelivery.open();
  const { ledger, parts } = fake;
  const { id: first } = await fake.send({ kind: 'task' });
  const tasks = [first, (await fake.send({ kind: 'task' })).id];
  const unused = (): never => {
    throw new Error('nothing is launched here');
  };
  const bus = new Bus({ clock: fake.clock, boot: 'boot1', onError: unused });
  const team = {
    ...{ ledger, surroundings: parts.surroundings, bus },
    ...{ fleet: { launch: unused }, findTarget: unused },
  };
  const over = new AbortController();
  const wait = (task: string) => awaitAnswer(team, { task, limitMs: 1e9, signal: over.signal });
  const isWaitedFor = async (task: string, before?: string) => {
    const id = (await ledger.read((tx) => tx.debts.find(task)))?.waiter?.id;
    return id !== undefined && id !== before ? id : undefined;
  };
  const begun = async (task: string, before?: string): Promise<string> => {
    for (;;) {
      const id = await isWaitedFor(task, before);
      if (id !== undefined) return id;
      await fake.clock.sleep(1);
    }
  };
  return { fake, tasks, wait, begun };
}

test('rule 31: one message that answers two tasks is returned by the waits for both', async () => {
  const { fake, tasks, wait, begun } = await twoWaits();
  const waits = tasks.map((task) => wait(task));
  for (const task of tasks) await begun(task);
  const { id } = await fake.send({
    ...{ from: fakeAgentId, to: userAgentId, body: 'both done', replyTo: tasks },
  });
  const answers = await Promise.all(waits);
  expect(answers.map(({ outcome, message }) => [outcome, message?.body])).toEqual([
    ['answered', 'both done'],
    ['answered', 'both done'],
  ]);
  // The one that has it by its claim answers for it; the copy of the other changes nothing.
  await answers[1]?.lose('its caller is gone');
  await answers[0]?.finish();
  expect(await fake.find(id)).toMatchObject({ state: 'acked' });
});

test('rule 31: a wait that another took over has the answer, and takes nothing from it', async () => {
  const { fake, tasks, wait, begun } = await twoWaits();
  const task = tasks[0] ?? '';
  const first = wait(task);
  const before = await begun(task);
  const second = wait(task);
  await begun(task, before);
  const { id } = await fake.send({
    ...{ from: fakeAgentId, to: userAgentId, body: 'done', replyTo: [task] },
  });
  const [early, late] = await Promise.all([first, second]);
  expect([early.outcome, late.outcome]).toEqual(['answered', 'answered']);
  await early.lose('its caller is gone');
  expect(await fake.find(id)).toMatchObject({ state: 'injected' });
  await late.finish();
  expect(await fake.find(id)).toMatchObject({ state: 'acked' });
});
