import { expect, test } from 'vitest';
import { Closers } from './closers.ts';

test('the last opened part is closed first, each once', async () => {
  const { closers, closed } = open('ledger', 'delivery', 'fleet');
  await closers.close();
  await closers.close();
  expect(closed).toEqual(['fleet', 'delivery', 'ledger']);
});

test('a part is closed only after the one above it has ended', async () => {
  const { closers, closed } = open('ledger');
  closers.add('fleet', async () => {
    await new Promise((resolve) => setImmediate(resolve));
    closed.push('fleet');
  });
  await closers.close();
  expect(closed).toEqual(['fleet', 'ledger']);
});

test('parts that cannot be closed are logged, and the others are closed all the same', async () => {
  const { closers, closed, logged } = open('ledger', 'bus');
  closers.add('fleet', () => Promise.reject(new Error('no answer')));
  closers.add('tools', () => {
    throw new Error('not open');
  });
  await closers.close();
  expect(closed).toEqual(['bus', 'ledger']);
  expect(logged).toMatchObject([
    { part: 'tools', error: 'not open' },
    { part: 'fleet', error: 'no answer' },
  ]);
});

function open(...parts: readonly string[]) {
  const closed: string[] = [];
  const logged: object[] = [];
  const nothing = () => undefined;
  const error = (facts: object) => void logged.push(facts);
  const closers = new Closers({ debug: nothing, info: nothing, warn: nothing, error });
  for (const part of parts) closers.add(part, () => closed.push(part));
  return { closers, closed, logged };
}
