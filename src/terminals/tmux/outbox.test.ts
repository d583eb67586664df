import { expect, test } from 'vitest';
import { Outbox } from './outbox.ts';

test('what several say in one moment goes together, in order, and what comes later goes later', async () => {
  const posted: (readonly number[])[] = [];
  const outbox = new Outbox<number>((messages) => posted.push(messages));
  const moment = Promise.resolve();
  await Promise.all([1, 2].map((number) => moment.then(() => outbox.put(number))));
  expect(posted).toEqual([[1, 2]]);
  outbox.put(3);
  outbox.flush();
  outbox.put(4);
  await new Promise((resolve) => setImmediate(resolve));
  expect(posted).toEqual([[1, 2], [3], [4]]);
});
