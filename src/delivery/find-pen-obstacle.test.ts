import { expect, test } from 'vitest';
import { describeWait } from '../messages/describe-wait.ts';
import { findPenObstacle } from './find-pen-obstacle.ts';

const all = { cursor: true, humanTyping: true, typing: 'bytes' } as const;
const of = (less: object, version?: string): string | undefined => {
  const why = findPenObstacle({ name: 'herdr', capabilities: { ...all, ...less } }, version);
  return why && describeWait(why);
};

test('rule 24: nothing is pasted where the cursor or a person’s typing cannot be seen', () => {
  expect(of({})).toBeUndefined();
  expect(of({ typing: 'text' })).toBeUndefined();
  const there = 'so signalbox pastes nothing there';
  expect(of({ cursor: false, humanTyping: false })).toBe(
    `herdr shows neither the cursor nor a person's typing, ${there}`,
  );
  expect(of({ cursor: false })).toBe(`herdr does not show the cursor, ${there}`);
  expect(of({ humanTyping: false })).toBe(`herdr does not show a person's typing, ${there}`);
});

test('a version that takes no typing is named only where a newer one would help', () => {
  expect(of({ typing: 'no' }, '0.6.8')).toMatch(/^this version of herdr, 0\.6\.8, takes no typing/);
  expect(of({ typing: 'no' })).toMatch(/^this version of herdr takes no typing/);
  const blind = { typing: 'no', cursor: false, humanTyping: false };
  expect(of(blind, '0.6.8')).toMatch(/^herdr shows neither the cursor nor a person's typing/);
});
