import { expect, test } from 'vitest';
import { openTurnWatch } from '../../test/fakes/turn-watch.ts';
import type { TurnNews } from '../providers/way-in.ts';

const joined: TurnNews = {
  ...{ session: 's', id: 'step-1', stop: 1, outcome: 'completed' },
  ...{ text: 'The answer.', held: [] },
};
const bodies = (told: readonly { readonly body: string }[]) => told.map(({ body }) => body);

test('rule 27: each part of a turn that others joined ends by itself, in their order and once', async () => {
  const { owe, show, news, records, restart, told } = await openTurnWatch();
  await owe();
  Object.assign(records, { parts: async (end: TurnNews) => [joined, { ...end, held: [] }] });
  show('processing');
  await news('t1', 'To the person.');
  await restart('completed');
  // By a source that tells all it knows to every daemon.
  await news('t1', 'To the person.');
  expect((await told()).map(({ turn, body }) => [turn, body])).toEqual([
    ['s/step-1/1', 'The answer.'],
    ['s/t1/1', 'To the person.'],
  ]);
});

test('rule 20: without a debt the records are not read', async () => {
  const { show, news, records, told } = await openTurnWatch();
  const asked: TurnNews[] = [];
  const parts = async (end: TurnNews) => {
    asked.push(end);
    return [joined, end];
  };
  Object.assign(records, { parts });
  show('processing');
  await news('t1', 'To the person.');
  expect(bodies(await told())).toEqual(['To the person.']);
  expect(asked).toEqual([]);
});

test('rule 27: a person interrupts what they had joined with a prompt: the task before it is answered', async () => {
  const { clock, owe, show, news, records, told } = await openTurnWatch();
  await news('t0', 'Earlier.');
  await owe();
  Object.assign(records, { parts: async (end: TurnNews) => [joined, end] });
  show('processing');
  await clock.pass(11_000);
  // Esc fires no hook.
  show('idle');
  await clock.pass(60_000);
  expect((await told()).map(({ outcome, body }) => [outcome, body])).toEqual([
    ['completed', 'Earlier.'],
    ['completed', 'The answer.'],
    ['interrupted', 'last words'],
  ]);
});

test('rules 26, 41: records that cannot be read, or never tell, cost no end', async () => {
  const { clock, owe, show, news, records, told } = await openTurnWatch();
  await owe();
  const gone = Object.assign(new Error('EMFILE'), { code: 'EMFILE' });
  Object.assign(records, { parts: async () => Promise.reject(gone) });
  show('processing');
  await news('t1', 'One.');
  Object.assign(records, {
    parts: (_: TurnNews, { signal }: { readonly signal: AbortSignal }) =>
      new Promise((done) => {
        signal.addEventListener('abort', () => done(undefined));
      }),
  });
  const kept = news('t2', 'Two.');
  await clock.pass(1);
  await clock.pass(8000);
  await kept;
  expect(bodies(await told())).toEqual(['One.', 'Two.']);
});

test('rules 20, 41: the records are read once for all parts of an end, also of one that was interrupted', async () => {
  const { owe, raw, records, reads, told } = await openTurnWatch();
  await owe();
  const second = { ...joined, id: 'step-2', text: 'Another.' };
  Object.assign(records, { parts: async (end: TurnNews) => [joined, second, end] });
  await raw({ session: 's', id: 't1', outcome: 'interrupted', text: '' });
  expect((await told()).map(({ turn }) => turn)).toEqual(['s/step-1/1', 's/step-2/1', 's/t1/1']);
  expect(reads.onRecord).toBe(1);
});
