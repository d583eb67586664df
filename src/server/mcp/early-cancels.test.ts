import { expect, test } from 'vitest';
import { createPuller } from '../../agents/agent.ts';
import { EarlyCancels } from './early-cancels.ts';

const caller = { ...createPuller('agt_a', 0), name: 'a', session: 's', notify: false, cwd: '/' };
const at = (cameAtMs: number, requests: readonly string[] = [], session = 'one', who = caller) => ({
  ...{ caller: who, way: { session }, requests, cameAtMs },
});

test('rule 17: a cancel is for one call of its own agent and session, and for no other', () => {
  const early = new EarlyCancels();
  early.keep(at(0), '7');
  const other = { ...caller, id: 'agt_b' };
  expect(early.take(at(1, ['7'], 'two'))).toBe(false);
  expect(early.take(at(1, ['7'], 'one', other))).toBe(false);
  expect(early.take(at(1, ['"7"']))).toBe(false);
  expect(early.take(at(1, ['6', '7']))).toBe(true);
  expect(early.take(at(1, ['7']))).toBe(false);
});

test('a cancel is remembered for as long as a request may take, and of each agent a hundred', () => {
  const early = new EarlyCancels();
  for (let i = 0; i < 1000; i++) early.keep(at(0), `${i}`);
  expect(early.take(at(1, ['899']))).toBe(false);
  expect(early.take(at(29_999, ['900']))).toBe(true);
  expect(early.take(at(30_000, ['901']))).toBe(false);
});

test('an agent that never calls again keeps nothing once its cancels are old', () => {
  const early = new EarlyCancels();
  for (let i = 0; i < 100; i++) early.keep(at(0, [], 'one', { ...caller, id: `agt_${i}` }), '1');
  expect(early.size).toBe(100);
  early.keep(at(30_000), '1');
  expect(early.size).toBe(1);
});
