import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseName } from './agent-name.ts';
import { confusables } from './confusables.ts';
import { areLookAlikes, skeletonOf } from './skeleton.ts';

const words = confusables.trim().split(/[ \n]/);
/** Everything that looks like a letter or digit of ASCII, with those themselves. */
const letters = words.flatMap((word, at) => {
  const like = words[at - 1] ?? '';
  const isLetter = at % 2 === 1 && /^[A-Za-z0-9]{1,2}$/.test(like);
  return isLetter ? [...word].filter((one) => /[\p{L}\p{N}]/u.test(one)) : [];
});
const alphabet = [...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789', ...letters];
const names = fc.array(fc.constantFrom(...alphabet), { minLength: 1, maxLength: 12 });
const reserved = ['user', 'self', 'signalbox'];

test('a skeleton is its own skeleton, whatever the name is made of', () => {
  const any = fc.oneof(
    names.map((some) => some.join('')),
    fc.string({ unit: 'grapheme', maxLength: 20 }),
  );
  fc.assert(
    fc.property(any, (name) => {
      const skeleton = skeletonOf(name);
      expect(skeletonOf(skeleton)).toBe(skeleton);
    }),
    { numRuns: 2000 },
  );
});

test('every character of the table has the skeleton of what it looks like', () => {
  for (let at = 0; at < words.length; at += 2) {
    for (const who of words[at + 1] ?? '') {
      expect([who, skeletonOf(who)]).toEqual([who, skeletonOf(words[at] ?? '')]);
    }
  }
});

test('no name that is taken looks like a reserved one', () => {
  /**
   * The reserved words themselves, each letter in one of its likenesses, and now and then another
   * letter.
   */
  const likes = new Map<string, string[]>();
  for (const letter of alphabet) {
    const key = skeletonOf(letter);
    likes.set(key, [...(likes.get(key) ?? []), letter]);
  }
  const near = fc.constantFrom(...reserved).chain((word) =>
    fc.tuple(
      ...[...word].map((letter) =>
        fc.oneof(
          {
            weight: 20,
            arbitrary: fc.constantFrom(...(likes.get(skeletonOf(letter)) ?? [letter])),
          },
          { weight: 1, arbitrary: fc.constantFrom(...alphabet) },
        ),
      ),
    ),
  );
  const looks = new Set(reserved.map(skeletonOf));
  let refused = 0;
  fc.assert(
    fc.property(fc.oneof(near, names), (some) => {
      const name = some.join('');
      try {
        expect(looks).not.toContain(skeletonOf(parseName(name, 'agent')));
      } catch (error) {
        expect(error).toMatchObject({ code: 'name-reserved' });
        refused++;
      }
    }),
    { numRuns: 3000 },
  );
  // It has tried some that must be.
  expect(refused).toBeGreaterThan(100);
});

test('names of ASCII are told apart exactly; one letter of another script is enough to compare by looks', () => {
  for (const [one, other] of [
    ['worker1', 'workerl'],
    ['w0', 'wO'],
    ['Lead', 'lead'],
    ['corner', 'comer'],
  ] as const) {
    expect(areLookAlikes(one, other)).toBe(false);
  }
  for (const [one, other] of [
    ['lead', 'lеad'], // Cyrillic е
    ['Вob', 'bob'], // a capital Cyrillic В
    ['ｌｅａｄ', 'lead'],
    ['wоrker1', 'workerl'], // Cyrillic о
    ['раз', 'pаз'], // Latin p
  ] as const) {
    expect(areLookAlikes(one, other)).toBe(true);
    expect(areLookAlikes(other, one)).toBe(true);
    expect(areLookAlikes(one, one)).toBe(false);
  }
  expect(areLookAlikes('作業者', '作業')).toBe(false);
  expect(areLookAlikes('leád', 'lead')).toBe(false);
});
