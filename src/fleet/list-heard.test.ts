import { expect, test } from 'vitest';
import { carryTask } from '../../test/fakes/enter-task.ts';
import { openTurnWatch } from '../../test/fakes/turn-watch.ts';

/** A task is just going in, and the turn that it begins is over before that is written down. */
async function endAtOnce() {
  const fake = await openTurnWatch();
  const { clock, ledger, child, show, carry, news } = fake;
  await ledger.write((tx) => tx.agents.setEpoch(child.id, 1));
  const { task, taken } = await carryTask(fake);
  const settle = carry();
  show('processing');
  const heard = news('t1', 'The answer.');
  await clock.pass(0);
  const endOf = async () => (await ledger.read((tx) => tx.debts.find(task)))?.end;
  return { ...fake, taken, settle, heard, endOf };
}

test('rules 26, 27: a turn that is over before its text is written down as taken answers its task', async () => {
  const { taken, settle, heard, endOf, told } = await endAtOnce();
  await taken();
  settle();
  await heard;
  expect(await endOf()).toBe('answered');
  expect((await told()).map(({ body }) => body)).toEqual(['The answer.']);
});

test('rules 26, 27: the words of the next turn are not its answer', async () => {
  const { taken, settle, heard, news, ledger, parent } = await endAtOnce();
  await taken();
  settle();
  await heard;
  await news('t2', 'Something else, for a person.');
  const query = { to: parent.id, states: ['queued', 'superseded'], limit: 10 } as const;
  const completions = await ledger.read((tx) => tx.messages.list(query));
  const answers = completions.filter(({ answersTask }) => answersTask);
  expect(answers.map(({ body }) => body)).toEqual(['The answer.']);
});

test('rule 26: an act that never ends keeps the end of no turn back', async () => {
  const { clock, heard, endOf, told } = await endAtOnce();
  await clock.pass(500);
  await heard;
  expect((await told()).map(({ body }) => body)).toEqual(['The answer.']);
  expect(await endOf()).toBeUndefined();
});
