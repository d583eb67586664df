import { expect, test } from 'vitest';
import { PromptPatience, promptRestMs } from './prompt-patience.ts';

test('rule 51b: only rest counts, over all of it, from when the prompt waits', () => {
  const patience = new PromptPatience();
  expect(patience.note(true, 0, 100_000)).toBe(promptRestMs);
  expect(patience.note(true, 0, 130_000)).toBe(30_000);
  // It works for a long time, and rests again.
  expect(patience.note(true, undefined, 131_000)).toBe(30_000);
  expect(patience.note(true, undefined, 900_000)).toBe(30_000);
  expect(patience.note(true, 910_000, 920_000)).toBe(20_000);
  expect(patience.note(true, 910_000, 950_000)).toBe(0);
});

test('rule 51b: the next prompt has its own minute', () => {
  const patience = new PromptPatience();
  patience.note(true, 0, 0);
  expect(patience.note(true, 0, 70_000)).toBe(0);
  expect(patience.note(false, 0, 71_000)).toBeUndefined();
  expect(patience.note(true, 0, 72_000)).toBe(promptRestMs);
});
