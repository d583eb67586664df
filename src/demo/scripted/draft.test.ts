import { expect, test } from 'vitest';
import { type Draft, editDraft, emptyDraft, layOutDraft } from './draft.ts';
import type { Key } from './keys.ts';

test('editing keeps text and cursor together, and never splits a character', () => {
  expect(type('ab👍', 'left')).toEqual({ text: 'ab👍', at: 2 });
  expect(type('ab👍', 'backspace')).toEqual({ text: 'ab', at: 2 });
  expect(type('👍b', 'home', 'delete')).toEqual({ text: 'b', at: 0 });
  expect(type('one', 'newline', 'home', 'left', 'home', 'end')).toEqual({ text: 'one\n', at: 3 });
  expect(type('one', 'clear')).toEqual(emptyDraft);
  expect(type('', 'backspace', 'delete', 'left', 'right', 'home', 'end')).toEqual(emptyDraft);
});

test('the cursor stands where the next character will be, in cells and wrapped rows', () => {
  expect(layOutDraft(emptyDraft, 10, 5)).toEqual({ rows: [''], cursor: { x: 0, y: 0 } });
  expect(layOutDraft(type('日本x'), 4, 5)).toEqual({ rows: ['日本', 'x'], cursor: { x: 1, y: 1 } });
  expect(layOutDraft(type('abc', 'home'), 10, 5).cursor).toEqual({ x: 0, y: 0 });
});

test('of a long draft the rows around the cursor are shown', () => {
  const long = type('1\n2\n3\n4');
  expect(layOutDraft(long, 10, 2)).toEqual({ rows: ['3', '4'], cursor: { x: 1, y: 1 } });
  expect(layOutDraft({ ...long, at: 0 }, 10, 2)).toEqual({
    rows: ['1', '2'],
    cursor: { x: 0, y: 0 },
  });
});

const keys = ['left', 'right', 'home', 'end', 'backspace', 'delete', 'newline', 'clear'] as const;

function type(text: string, ...more: readonly (typeof keys)[number][]): Draft {
  const pressed: readonly Key[] = [{ key: 'paste', text }, ...more.map((key) => ({ key }))];
  return pressed.reduce(editDraft, emptyDraft);
}
