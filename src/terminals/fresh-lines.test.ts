import { describe, expect, test } from 'vitest';
import { FreshLines, type SeenRow } from './fresh-lines.ts';

const stands = (...texts: readonly string[]): readonly SeenRow[] =>
  texts.map((text) => ({ text, isGone: false }));
const gone = (...texts: readonly string[]): readonly SeenRow[] =>
  texts.map((text) => ({ text, isGone: true }));

describe('whoever follows a terminal is told', () => {
  test('a line once, when it has stood for a second', () => {
    const fresh = new FreshLines();
    expect(fresh.take(stands('hello', 'foot'), 0)).toEqual([]);
    expect(fresh.take(stands('hello', 'foot'), 999)).toEqual([]);
    expect(fresh.take(stands('hello', 'foot'), 1000)).toEqual(['hello', 'foot']);
    expect(fresh.take(stands('hello', 'foot'), 5000)).toEqual([]);
  });

  test('no frame of a spinner, and a line that is being written when it is whole', () => {
    const fresh = new FreshLines();
    const told: string[] = [];
    for (let step = 0; step < 12; step++) {
      const words = 'one two three four'.slice(0, 4 + step * 3);
      told.push(...fresh.take(stands(words, `| ${step}`), step * 500));
    }
    told.push(...fresh.take(stands('one two three four', 'done'), 6000));
    told.push(...fresh.take(stands('one two three four', 'done'), 7000));
    expect(told).toEqual(['one two three four', 'done']);
  });

  test('no half of a line whose rest is late', () => {
    const fresh = new FreshLines();
    const open = (text: string): readonly SeenRow[] => [{ text, isGone: false, isOpen: true }];
    expect(fresh.take(open('three of'), 0)).toEqual([]);
    expect(fresh.take(open('three of'), 60_000)).toEqual([]);
    expect(fresh.take([...stands('three of five'), ...open('')], 60_100)).toEqual([]);
    expect(fresh.take([...stands('three of five'), ...open('')], 61_100)).toEqual([
      'three of five',
    ]);
  });

  test('what scrolled away at once, also what nobody saw stand', () => {
    const fresh = new FreshLines();
    expect(fresh.take([...gone('one', 'two'), ...stands('three')], 0)).toEqual(['one', 'two']);
    expect(fresh.take([...gone('three', 'four'), ...stands('five')], 1)).toEqual(['three', 'four']);
  });

  test('a line that moved, or scrolled away after it was told, no more', () => {
    const fresh = new FreshLines();
    fresh.skip(stands('old', 'foot'));
    expect(fresh.take(stands('old', 'new', 'foot'), 0)).toEqual([]);
    expect(fresh.take(stands('old', 'new', 'foot'), 1000)).toEqual(['new']);
    expect(fresh.take([...gone('old'), ...stands('new', 'last', 'foot')], 1100)).toEqual([]);
    expect(fresh.take([...gone('new'), ...stands('last', 'foot')], 2100)).toEqual(['last']);
  });

  test('the same line as often as it is printed', () => {
    const fresh = new FreshLines();
    expect(fresh.take(gone('ok', 'ok'), 0)).toEqual(['ok', 'ok']);
    expect(fresh.take([...gone('ok'), ...stands('ok')], 1)).toEqual(['ok']);
    expect(fresh.take([...gone('ok'), ...stands('ok')], 2)).toEqual(['ok']);
  });

  test('one blank line between two that are told together', () => {
    const fresh = new FreshLines();
    expect(fresh.take(gone('', 'one', '', '', 'two', ''), 0)).toEqual(['one', '', 'two']);
  });
});
