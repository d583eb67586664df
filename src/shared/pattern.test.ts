import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compilePattern, longestRow } from './pattern.ts';

function refusal(source: string): string | undefined {
  const compiled = compilePattern(source);
  return 'refused' in compiled ? compiled.refused : undefined;
}

describe('O5: a pattern from a user’s file', () => {
  test('that finds what detectors look for is compiled', () => {
    for (const source of [
      '^\\s*❯ \\d+\\. ',
      '^│ >\\s+│$',
      'esc to (?:interrupt|cancel)',
      '^─{10,}$',
      '^[✢✳✶✻✽·*] .+…',
      '\\p{Lu}{2}[)(*+|]{3}\\u{276f}?',
      '^(?:a|b){1,3}x',
      '^(?!──)(?:Yes|No)\\b',
      '\\*\\+\\(\\|\\{',
    ]) {
      expect([source, refusal(source)]).toEqual([source, undefined]);
    }
  });

  test('that may be laid over a row in too many ways is refused', () => {
    for (const source of [
      '(a+)+$',
      '(a|a)*b',
      '((ab)*c?)*',
      '(?:x{2,}y)+',
      '(a?){20,}',
      '(a{1,20})+',
      '(a*){1,9}',
      '(a|b|c){1,20}',
      '.{1,9}.{1,9}.{1,9}.{1,9}.{1,9}.{1,9}',
      '.*.*x',
      '^.*.*.*x',
      '^a|.*.*x',
    ]) {
      expect([source, refusal(source)]).toEqual([source, expect.stringMatching(/too long/)]);
    }
    expect(refusal('^.*.*x')).toBeUndefined();
    expect(refusal('(a)\\1')).toMatch(/refers back/);
    expect(refusal('(?<q>a)\\k<q>')).toMatch(/refers back/);
    expect(refusal('\\\\1')).toBeUndefined();
  });

  test('that is empty, too long or no pattern at all is refused', () => {
    expect(refusal('')).toBe('it is empty');
    expect(refusal('a'.repeat(201))).toMatch(/more than 200 characters/);
    expect(refusal('(')).toMatch(/unterminated group/);
    expect(refusal('a**')).toMatch(/nothing to repeat/);
    expect(refusal('\\q')).toMatch(/invalid escape/);
  });

  test('whatever is admitted ends on the rows that make backtracking worst', () => {
    const piece = fc.constantFrom(
      'a',
      '.',
      '[ab]',
      '(a)',
      '(?:ab)',
      '(a|b)',
      '(a*)',
      '|',
      '^',
      '$',
    );
    const repeat = fc.constantFrom('', '', '*', '+', '?', '{2,}', '{1,9}', '{3,30}');
    const source = fc
      .array(fc.tuple(piece, repeat), { minLength: 1, maxLength: 7 })
      .map((pieces) => pieces.map(([text, times]) => text + times).join(''));
    fc.assert(
      fc.property(source, (text) => {
        const compiled = compilePattern(text);
        if ('refused' in compiled) return;
        for (const row of ['a', 'ab']) {
          compiled.pattern.test(row.repeat(longestRow / row.length).replace(/.$/, '!'));
        }
      }),
      { numRuns: 300 },
    );
  });
});
