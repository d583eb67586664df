import { expect, test } from 'vitest';
import { enterTask } from '../../test/fakes/enter-task.ts';
import { openTurnWatch } from '../../test/fakes/turn-watch.ts';

/**
 * A task is at work when a person breaks it off, and the next one goes in before a stand-in may
 * speak for that end.
 */
async function brokenOff(restMs = 300) {
  const fake = await openTurnWatch();
  const { clock, ledger, child, show } = fake;
  await ledger.write((tx) => tx.agents.setEpoch(child.id, 1));
  const first = await enterTask(fake);
  show('processing');
  await clock.pass(1000);
  show('idle');
  await clock.pass(restMs);
  const endOf = async (task: string) => (await ledger.read((tx) => tx.debts.find(task)))?.end;
  return { ...fake, first, endOf };
}

test('rules 26, 27: a task that a person broke off is not answered by the next one, which was given within 2 s', async () => {
  const { clock, show, news, told, endOf, first, ...fake } = await brokenOff();
  const second = await enterTask({ ...fake, clock });
  show('processing');
  await clock.pass(5000);
  await news('t2', 'The second answer.');
  expect([await endOf(first), await endOf(second)]).toEqual([undefined, 'answered']);
  expect((await told()).map(({ outcome, body }) => [outcome, body])).toEqual([
    ['interrupted', ''],
    ['completed', 'The second answer.'],
  ]);
});

test('rule 27: a screen that looked at rest for a moment cuts no turn in two', async () => {
  const { clock, show, news, told, endOf, first, record, ...fake } = await brokenOff();
  await record(first, 'in');
  show('processing');
  await clock.pass(300);
  const second = await enterTask({ ...fake, clock }, true);
  await news('t1', 'Both answers.');
  expect(await endOf(first)).toBe('answered');
  expect(await endOf(second)).toBeUndefined();
  expect((await told()).map(({ outcome }) => outcome)).toEqual(['completed']);
});

for (const records of ['out', 'silent'] as const) {
  test(`rules 9, 26: a person breaks a task off and says something else within 2 s; with records that are ${records} about it the task stays owed`, async () => {
    const { clock, show, news, told, endOf, first, record } = await brokenOff();
    if (records === 'out') await record(first, 'out');
    show('processing');
    await clock.pass(5000);
    await news('t2', 'The answer to the person.');
    expect(await endOf(first)).toBeUndefined();
    expect((await told()).map(({ outcome, body }) => [outcome, body])).toEqual([
      ['interrupted', ''],
      ['completed', 'The answer to the person.'],
    ]);
  });
}

test('rules 26, 27, 41: a rest of less than 250 ms is no break, where the records tell nothing yet', async () => {
  const { clock, show, news, told, endOf, first } = await brokenOff(120);
  show('processing');
  await clock.pass(700);
  // The records of a new conversation are written after this hook has ended (Claude Code 2.1.325).
  await news('t1', 'The answer.');
  expect(await endOf(first)).toBe('answered');
  expect((await told()).map(({ outcome, body }) => [outcome, body])).toEqual([
    ['completed', 'The answer.'],
  ]);
});

test('rules 26, 30: an end that its stand-in took for an interruption answers its task, whatever the records say', async () => {
  const { clock, show, news, endOf, first } = await brokenOff();
  // The silence is over: the stand-in has spoken. Then the hook comes, late.
  await clock.pass(2500);
  await news('t1', 'The answer.');
  expect(await endOf(first)).toBe('answered');
  show('idle');
});
