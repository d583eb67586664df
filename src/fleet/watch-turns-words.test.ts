import { expect, test } from 'vitest';
import { enterTask } from '../../test/fakes/enter-task.ts';
import { openTurnWatch } from '../../test/fakes/turn-watch.ts';
import { add } from './add.ts';

/** A child whose last words are read only when the test lets them be. */
async function slow() {
  const fake = await openTurnWatch();
  const { ledger, child, records } = fake;
  const read = { done: (_: string): void => undefined };
  records.lastWords = () =>
    new Promise((resolve) => {
      read.done = resolve;
    });
  await ledger.write((tx) => tx.agents.setEpoch(child.id, 1));
  return {
    ...fake,
    say: (words: string) => read.done(words),
    /** Given, and in its conversation. */
    enter: () => enterTask(fake),
    endOf: async (task: string) => (await ledger.read((tx) => tx.debts.find(task)))?.end,
  };
}

const ended = { session: 's', id: 't1', outcome: 'completed' } as const;

test('rule 26: a task that goes in while the last words of a turn are read is not answered with them', async () => {
  const { raw, enter, say, endOf } = await slow();
  const first = await enter();
  const told = raw(ended);
  await new Promise(setImmediate);
  const second = await enter();
  say('What was said before.');
  await told;
  expect([await endOf(first), await endOf(second)]).toEqual(['answered', undefined]);
});

test('rule 30: whoever waits for others as its turn ends has not answered, though they answer while its words are read', async () => {
  const { clock, ledger, child, raw, enter, say, endOf } = await slow();
  const task = await enter();
  const wanted = { session: 'default', notify: true, cwd: '/srv/app', name: 'other' };
  const other = await add(ledger, clock, wanted);
  const below = { task: 'msg_below', debtor: other.id, creditor: child.id, givenAt: 1 };
  await ledger.write((tx) => tx.debts.insert(below));
  const told = raw(ended);
  await new Promise(setImmediate);
  await ledger.write((tx) => tx.debts.end(below.task, 'answered', undefined, clock.now()));
  say('I have given it to another.');
  await told;
  expect(await endOf(task)).toBeUndefined();
});

test('rules 26, 27: what a stand-in has told comes with no later turn that a stand-in tells of', async () => {
  const { clock, show, told } = await openTurnWatch('state');
  for (let turn = 0; turn < 2; turn++) {
    show('processing');
    await clock.pass(20_000);
    show('idle');
    await clock.pass(4000);
  }
  expect((await told()).map(({ body }) => body)).toEqual(['last words', '']);
});
