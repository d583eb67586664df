import { expect, test } from 'vitest';
import { Outbox } from './outbox.ts';

test('what is said in one turn goes together, in order, and what comes later goes later', async () => {
  const posted: (readonly number[])[] = [];
  const outbox = new Outbox<number>((messages) => posted.push(messages));
  outbox.put(1);
  await Promise.resolve();
  outbox.put(2);
  expect(posted).toEqual([]);
  await new Promise((resolve) => setImmediate(resolve));
  outbox.put(3);
  outbox.flush();
  outbox.put(4);
  await new Promise((resolve) => setImmediate(resolve));
  expect(posted).toEqual([[1, 2], [3], [4]]);
});
