import { expect, test } from 'vitest';
import { createEvidenceMemory, forgetWait, noteRest } from './evidence-memory.ts';

test('rule 4: rests add up over the turns between them, from when an attempt was first followed', () => {
  const memory = createEvidenceMemory();
  memory.followedSince.set(7, 1000);
  expect(noteRest(memory, 7, 0, 1000)).toBe(0);
  expect(noteRest(memory, 7, 0, 9000)).toBe(0);
  expect(noteRest(memory, 7, undefined, 11_000)).toBe(10_000);
  expect(noteRest(memory, 7, undefined, 60_000)).toBe(10_000);
  expect(noteRest(memory, 7, 61_000, 66_000)).toBe(10_000);
  expect(noteRest(memory, 7, undefined, 81_000)).toBe(30_000);
});

test('rule 4: a turn between two looks is not counted as rest', () => {
  const memory = createEvidenceMemory();
  memory.followedSince.set(7, 0);
  noteRest(memory, 7, 0, 5000);
  expect(noteRest(memory, 7, 50_000, 51_000)).toBe(5000);
});

test('rule 4: what was decided is waited for anew', () => {
  const memory = createEvidenceMemory();
  memory.followedSince.set(7, 0);
  noteRest(memory, 7, 0, 0);
  noteRest(memory, 7, undefined, 5000);
  forgetWait(memory, 7);
  memory.followedSince.set(7, 6000);
  expect(noteRest(memory, 7, 6000, 7000)).toBe(0);
});
