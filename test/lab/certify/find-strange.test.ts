import { expect, test } from 'vitest';
import { findStrange } from './find-strange.ts';

const attempts = [{ route: 'native' }] as const;
const read = {
  attempts,
  history: [
    { to: 'queued' },
    { to: 'claimed', code: 'claimed' },
    { to: 'injected', code: 'put-in' },
    { to: 'seen', code: 'read' },
  ],
} as const;
const evidence = 'records of 1.0.1 not recognised';
const unread = {
  attempts,
  history: [
    ...read.history.slice(0, 3),
    { to: 'uncertain', code: 'not-provable' },
    { to: 'injected', code: 'unconfirmed', evidence },
  ],
} as const;

test('rule 50: a message is named that ended unproven because of its records, once for each reason', () => {
  expect(findStrange([read, unread, unread])).toEqual({
    strange: [`native: ${evidence}`],
    proven: 1,
  });
});

test('it goes by the code of the move, whatever the words beside it', () => {
  const reworded = unread.history.map((move) => ({ ...move, evidence: 'nobody can read them' }));
  expect(findStrange([{ attempts, history: reworded }]).strange).toHaveLength(1);
  const talked = read.history.map((move) => ({ ...move, evidence }));
  expect(findStrange([{ attempts, history: talked }])).toEqual({ strange: [], proven: 1 });
});

test('with nothing that went in it fails, and finds nothing good', () => {
  const queued = { attempts: [], history: read.history.slice(0, 1) };
  for (const nothing of [[], [queued]])
    expect(() => findStrange(nothing)).toThrow('no message went in');
});
