import { expect, test } from 'vitest';
import { openTurnWatch as open } from '../../test/fakes/turn-watch.ts';

test('rule 26: the authority ends a turn; the status that follows says nothing new', async () => {
  const { clock, show, news, told } = await open();
  show('processing');
  await news('t1', 'Done.');
  show('completed');
  await clock.pass(60_000);
  expect(await told()).toEqual([{ outcome: 'completed', turn: 's/t1/1', body: 'Done.' }]);
});

test('rule 26: another source may report only after 2 s of its silence', async () => {
  const { clock, show, told } = await open();
  show('processing');
  show('idle');
  await clock.pass(1999);
  show('processing');
  await clock.pass(60_000);
  show('idle');
  await clock.pass(2000);
  expect(await told()).toEqual([{ outcome: 'unknown', turn: 'epoch-1/1/1', body: 'last words' }]);
});

test('rules 26, 27: a working hook that stayed silent means that a person interrupted', async () => {
  const { clock, show, begin, news, told } = await open();
  show('processing');
  await news('t1', 'Done.');
  show('completed');
  await clock.pass(1000);
  begin();
  show('idle');
  await clock.pass(2000);
  expect((await told()).map(({ outcome }) => outcome)).toEqual(['completed', 'interrupted']);
});

test('rule 26: the last frame of a turn whose end was just told is no turn; one that goes on is', async () => {
  const { clock, show, news, told } = await open();
  show('processing');
  await news('t1', 'Done.');
  show('completed');
  await clock.pass(300);
  show('processing');
  await clock.pass(300);
  show('completed');
  await clock.pass(60_000);
  expect((await told()).map(({ outcome }) => outcome)).toEqual(['completed']);
  await news('t2', 'Done.');
  show('processing');
  await clock.pass(5000);
  show('completed');
  await clock.pass(2000);
  expect((await told()).map(({ outcome }) => outcome)).toEqual([
    ...['completed', 'completed', 'interrupted'],
  ]);
});

test('rule 26: work that the own state still reports when the end was told is no turn', async () => {
  // Qwen Code 0.24.4: its event file is behind its hooks.
  const { clock, begin, show, news, told } = await open();
  begin('state');
  await news('t1', 'Done.');
  begin('state');
  await clock.pass(300);
  show('completed');
  await clock.pass(60_000);
  expect((await told()).map(({ outcome }) => outcome)).toEqual(['completed']);
});

test.each([
  ['that a hook begins is one', 'hook', false, 300],
  ['that the own state begins after a rest is one', 'state', true, 300],
  // A stop hook's reply makes Claude Code go on, without a rest and without another hook.
  ['that goes on without a rest is one', 'state', false, 1500],
] as const)('rule 26: a turn after that, %s', async (_, source, hasRested, lastsMs) => {
  const { clock, begin, show, news, told } = await open();
  begin('state');
  await news('t1', 'Done.');
  begin('state');
  if (hasRested) show('completed');
  begin(source);
  await clock.pass(lastsMs);
  show('idle');
  await clock.pass(2000);
  expect((await told()).map(({ outcome }) => outcome)).toEqual(['completed', 'interrupted']);
});

test('rule 26: a turn that a message of ours begins soon after another is one, by the screen alone', async () => {
  const { clock, show, enter, news, told } = await open();
  show('processing');
  await news('t1', 'Done.');
  show('completed');
  await clock.pass(3000);
  show('processing');
  // The screen may show it before its way in has answered.
  enter();
  await clock.pass(1500);
  show('idle');
  await clock.pass(2000);
  expect((await told()).map(({ outcome }) => outcome)).toEqual(['completed', 'interrupted']);
});

test('rule 26: an authority that speaks after its stand-in reports no second end; the next turn’s it does', async () => {
  const { clock, show, news, told } = await open();
  show('processing');
  show('idle');
  await clock.pass(2000);
  await news('t1', 'Late.');
  show('processing');
  await news('t2', 'Next.');
  expect((await told()).map(({ turn }) => turn)).toEqual(['epoch-1/1/1', 's/t2/1']);
});

test('rules 26, 30: an authority that speaks after its stand-in does report the end of one that owes an answer', async () => {
  const { clock, show, news, told, owe } = await open();
  await owe();
  show('processing');
  show('idle');
  await clock.pass(2000);
  await news('t1', 'The answer.');
  expect((await told()).map(({ outcome, body }) => [outcome, body])).toEqual([
    ['unknown', 'last words'],
    ['completed', 'The answer.'],
  ]);
});

test('rule 26: a stand-in’s names never come again, however they mix with the authority’s', async () => {
  const { clock, show, begin, news, told } = await open();
  const interrupt = async (): Promise<void> => {
    await clock.pass(1000);
    begin();
    show('idle');
    await clock.pass(2000);
  };
  await interrupt();
  await interrupt();
  show('processing');
  await news('t1', 'Done.');
  await interrupt();
  await interrupt();
  show('processing');
  await news('t2', 'Done.');
  await interrupt();
  const names = (await told()).map(({ turn }) => turn);
  expect(names).toHaveLength(7);
  expect(new Set(names).size).toBe(7);
});

test('rule 26: each stop of a turn that goes on makes its completion', async () => {
  const { show, news, told } = await open();
  show('processing');
  await news('t1', 'First.');
  show('processing');
  await news('t1', 'Second.');
  expect((await told()).map(({ turn, body }) => [turn, body])).toEqual([
    ['s/t1/1', 'First.'],
    ['s/t1/2', 'Second.'],
  ]);
});

test('rule 26: where the status is the authority, it is believed at once, and numbers go on after a restart', async () => {
  const { show, restart, told } = await open('status');
  show('processing');
  show('idle');
  await restart();
  show('idle');
  show('processing');
  show('error');
  expect((await told()).map(({ outcome, turn }) => [outcome, turn])).toEqual([
    ['completed', 'epoch-1/1/1'],
    ['failed', 'epoch-1/2/1'],
  ]);
});

test('rule 27, O15: a child that has waited for 30 s is reported, once for each dialog', async () => {
  const { clock, show, told } = await open();
  show('processing');
  show('waiting', 1, 'permission');
  await clock.pass(29_999);
  // The same dialog, looked at again.
  show('waiting', 1, 'permission');
  await clock.pass(1);
  await clock.pass(600_000);
  show('processing');
  show('waiting', 2);
  await clock.pass(29_999);
  show('processing');
  await clock.pass(60_000);
  show('waiting', 3, 'question');
  await clock.pass(30_000);
  const reports = await told();
  expect(reports.map(({ outcome }) => outcome)).toEqual(['waiting', 'waiting']);
  expect(reports[0]?.body).toBe('It waits for a person: permission.');
  expect(reports[1]?.body).toBe('It waits for a person: question.');
});

test('rule 27: a dialog that stands through a restart of ours is reported once', async () => {
  const { clock, show, restart, told } = await open();
  show('waiting', 1, 'permission');
  await clock.pass(30_000);
  await restart();
  show('waiting', 1, 'permission');
  await clock.pass(30_000);
  expect((await told()).map(({ turn }) => turn)).toEqual(['epoch-1/dialog-1/1']);
});

test('an agent that rests when it is found again has ended no turn', async () => {
  const { clock, show, told } = await open();
  show('idle');
  await clock.pass(60_000);
  expect(await told()).toEqual([]);
});

test('rule 26: a turn whose end was told, and whose status was not yet on disk when we died, has no second end', async () => {
  const { clock, show, news, restart, told } = await open();
  const began = clock.now();
  show('processing', began);
  await clock.pass(5000);
  await news('t1', 'Done.');
  await restart('processing', began);
  await clock.pass(60_000);
  show('completed');
  await clock.pass(60_000);
  expect((await told()).map(({ turn }) => turn)).toEqual(['s/t1/1']);
});

test('rule 26: a stand-in names a turn as its authority does, so that neither tells it twice', async () => {
  const { clock, show, news, restart, records, told } = await open();
  records.last = 't1';
  show('processing');
  await news('t1', 'Done.');
  // The last frame of the turn, on a machine that is too busy to draw the next one.
  await clock.pass(900);
  show('processing');
  await clock.pass(4000);
  show('completed');
  await clock.pass(60_000);
  await restart('processing', clock.now());
  show('completed');
  await clock.pass(60_000);
  expect((await told()).map(({ turn }) => turn)).toEqual(['s/t1/1']);
  records.last = 't2';
  show('processing');
  await clock.pass(5000);
  show('idle');
  await clock.pass(2000);
  await restart();
  await news('t2', 'Late, by its own process.');
  expect((await told()).map(({ outcome, turn }) => [outcome, turn])).toEqual([
    ['completed', 's/t1/1'],
    ['unknown', 's/t2/1'],
  ]);
});
