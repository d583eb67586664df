import { expect, test } from 'vitest';
import { UntoldRest } from './untold-rest.ts';

const says = (status: 'idle' | 'processing' | 'waiting' | 'completed' | 'exited' | 'unknown') =>
  ({ status }) as const;

test('rule 9: a rest after work that nobody told the end of may be a person’s doing', () => {
  for (const work of ['processing', 'waiting'] as const) {
    const rest = new UntoldRest();
    rest.status(says(work), 0);
    rest.status(says('unknown'), 50);
    rest.status(says('completed'), 100);
    expect(rest.since).toBe(100);
    // More of the same rest does not begin it anew.
    rest.status(says('idle'), 500);
    expect(rest.since).toBe(100);
    rest.status(says('processing'), 600);
    expect(rest.since).toBeUndefined();
  }
});

test('an agent that has not worked yet, or has ended, was broken off by nobody', () => {
  const rest = new UntoldRest();
  rest.status(says('idle'), 0);
  expect(rest.since).toBeUndefined();
  rest.status(says('processing'), 10);
  rest.status(says('exited'), 20);
  rest.status(says('idle'), 30);
  expect(rest.since).toBeUndefined();
});

test.each(['completed', 'failed'] as const)(
  'an end that its CLI tells (%s), before the rest or after it, was no person’s',
  (outcome) => {
    const before = new UntoldRest();
    before.status(says('processing'), 0);
    expect(before.told({ outcome }, 5000)).toBe(false);
    before.status(says('completed'), 5200);
    expect(before.since).toBeUndefined();
    const after = new UntoldRest();
    after.status(says('processing'), 0);
    after.status(says('completed'), 5000);
    expect(after.told({ outcome }, 5300)).toBe(true);
    expect(after.since).toBeUndefined();
  },
);

test('rule 9: an end that is told as an interruption, or of an earlier turn, does not count', () => {
  const rest = new UntoldRest();
  rest.status(says('processing'), 0);
  expect(rest.told({ outcome: 'interrupted' }, 100)).toBe(false);
  rest.status(says('idle'), 110);
  expect(rest.since).toBe(110);
  rest.status(says('processing'), 200);
  rest.told({ outcome: 'completed' }, 300);
  rest.began();
  rest.status(says('idle'), 900);
  expect(rest.since).toBe(900);
  const late = new UntoldRest();
  late.told({ outcome: 'completed' }, 0);
  late.status(says('processing'), 100);
  late.status(says('idle'), 9000);
  expect(late.since).toBe(9000);
});
