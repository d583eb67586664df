import { expect, test } from 'vitest';
import { type Wish, WriteQueue } from './write-queue.ts';

function wish(name: string, waitMs = 1000): Wish {
  const nothing = (): void => undefined;
  return { work: async () => name, waitMs, resolve: nothing, reject: nothing };
}

async function namesOf(taken: readonly Wish[]): Promise<readonly unknown[]> {
  return Promise.all(taken.map(({ work }) => work()));
}

test('what is carried and what is accepted share no commit: the first go on before more come in', async () => {
  const queue = new WriteQueue();
  queue.add(wish('accept 1'), 'plain', 0);
  queue.add(wish('claim 1'), 'first', 5);
  queue.add(wish('note 1'), 'last', 5);
  queue.add(wish('accept 2'), 'plain', 5);
  queue.add(wish('claim 2'), 'first', 6);
  expect(await namesOf(queue.takeAlike())).toEqual(['claim 1', 'claim 2']);
  queue.add(wish('claim 3'), 'first', 90);
  // One that has waited long goes before claims that are new.
  expect(await namesOf(queue.takeAlike())).toEqual(['accept 1', 'accept 2']);
  expect(await namesOf(queue.takeAlike())).toEqual(['claim 3']);
  expect(await namesOf(queue.takeAlike())).toEqual(['note 1']);
  expect(queue.isEmpty).toBe(true);
});

test('those that wait for other processes for another time go alone, ten share a commit, and what is put back is first', async () => {
  const queue = new WriteQueue();
  for (let i = 0; i < 12; i++) queue.add(wish(`w${i}`), 'plain', i);
  queue.add(wish('patient', 5000), 'plain', 12);
  const taken = queue.takeAlike();
  expect(taken).toHaveLength(10);
  queue.putBack(taken.slice(8));
  expect(await namesOf(queue.takeAlike())).toEqual(['w8', 'w9', 'w10', 'w11']);
  expect(await namesOf(queue.takeAlike())).toEqual(['patient']);
});
