import { expect, test } from 'vitest';
import { NewestWrite } from './newest-write.ts';

/** A ledger that takes its time: each write ends when it is told to. */
function openSlow<T>(join?: (waiting: T, newest: T) => T) {
  const begun: T[] = [];
  const ends: (() => void)[] = [];
  const write = (value: T): Promise<void> => {
    begun.push(value);
    return new Promise((end) => ends.push(end));
  };
  const end = async (): Promise<void> => {
    ends.shift()?.();
    await new Promise((done) => setImmediate(done));
  };
  return { begun, end, writes: new NewestWrite(write, join) };
}

test('while one is written, only the newest of a thousand waits', async () => {
  const { begun, end, writes } = openSlow<number>();
  for (let n = 0; n <= 1000; n++) writes.put(n);
  expect(begun).toEqual([0]);
  await end();
  expect(begun).toEqual([0, 1000]);
  await end();
  await writes.settled();
  writes.put(1001);
  expect(begun).toEqual([0, 1000, 1001]);
  await end();
});

test('what is overtaken may leave something of itself', async () => {
  const { begun, end, writes } = openSlow<string>((waiting, newest) => `${waiting}+${newest}`);
  for (const value of ['a', 'b', 'c']) writes.put(value);
  await end();
  expect(begun).toEqual(['a', 'b+c']);
  await end();
});

test('it is settled when the last one is written', async () => {
  const { end, writes } = openSlow<number>();
  let isSettled = false;
  writes.put(1);
  writes.put(2);
  void writes.settled().then(() => {
    isSettled = true;
  });
  await end();
  expect(isSettled).toBe(false);
  await end();
  expect(isSettled).toBe(true);
});
