import { expect, test } from 'vitest';
import { SubAgents } from './sub-agents.ts';

const count = (all: SubAgents): number =>
  all.beside('completed', { status: 'completed' }, 0)?.count ?? 0;

test('rule 51a: sub-agents are counted as they begin and end', () => {
  const all = new SubAgents();
  expect(count(all)).toBe(0);
  expect(all.take({ began: 'a' })).toBe(true);
  expect(all.take({ began: 'a' })).toBe(false);
  expect(all.take({ began: 'b' })).toBe(true);
  expect(count(all)).toBe(2);
  expect(all.take({ ended: 'a' })).toBe(true);
  expect(all.take({ ended: 'a' })).toBe(false);
  expect(count(all)).toBe(1);
});

test('rule 51a: the list at the end of a turn is right where a word was lost', () => {
  const all = new SubAgents();
  all.take({ began: 'a' });
  expect(all.take({ running: [] })).toBe(true);
  expect(count(all)).toBe(0);
  all.take({ running: ['b', 'c'] });
  expect(count(all)).toBe(2);
});

test('rule 51b: a conversation rests beside them, though its CLI says busy, until it works itself', () => {
  const all = new SubAgents();
  all.take({ began: 'a' });
  expect(all.beside('processing', { status: 'processing' }, 1)).toBeUndefined();
  expect(all.beside('processing', {}, 2)).toBeUndefined();
  expect(all.beside('processing', { status: 'completed' }, 3)).toEqual({ count: 1, since: 3 });
  expect(all.beside('processing', { status: 'idle' }, 9)).toEqual({ count: 1, since: 3 });
  expect(all.beside('processing', { status: 'processing' }, 10)).toBeUndefined();
  expect(all.beside('completed', { status: 'completed' }, 11)).toEqual({ count: 1, since: 11 });
  // A question is the person's to answer.
  expect(all.beside('waiting', { status: 'waiting' }, 12)).toBeUndefined();
});

test('rules 51a, 51b: found again by another daemon, an agent that says busy while its screen rests has sub-agents, until a list tells', () => {
  const all = new SubAgents({ isFoundAgain: true });
  // A shell that runs beside it leaves it idle, and holds up nothing.
  expect(all.beside('completed', { status: 'completed' }, 1)).toBeUndefined();
  expect(all.beside('processing', { status: 'processing' }, 2)).toBeUndefined();
  expect(all.beside('processing', {}, 3)).toBeUndefined();
  const some = { count: undefined, since: 4 };
  expect(all.beside('processing', { status: 'completed' }, 4)).toEqual(some);
  // One that began since is not all of them, and the end of one tells nothing of the others.
  expect(all.take({ began: 'b' })).toBe(true);
  expect(all.beside('completed', { status: 'completed' }, 5)).toEqual(some);
  expect(all.take({ ended: 'b' })).toBe(true);
  expect(all.beside('processing', { status: 'completed' }, 6)).toEqual(some);
  expect(all.take({ running: [] })).toBe(true);
  expect(all.beside('processing', { status: 'completed' }, 7)).toBeUndefined();
  expect(all.take({ running: ['c'] })).toBe(true);
  expect(all.beside('processing', { status: 'completed' }, 8)).toEqual({ count: 1, since: 8 });
});

test('rule 51a: found again, an agent at rest has sub-agents while its screen shows some, whatever its CLI says', () => {
  const look = { status: 'completed', beside: 'sub-agents' } as const;
  const all = new SubAgents({ isFoundAgain: true });
  expect(all.beside('completed', look, 1)).toEqual({ count: undefined, since: 1 });
  // A list knows better: a row may stay for a while after its sub-agent was stopped.
  all.take({ running: [] });
  expect(all.beside('completed', look, 2)).toBeUndefined();
  expect(new SubAgents().beside('completed', look, 3)).toBeUndefined();
});
