import { expect, test } from 'vitest';
import { sweep } from '../../test/support/sweep.ts';
import { escapeHidden, reveal, revealLine } from './reveal.ts';

/** Beyond the first plane, where whole ranges are alike. */
const step = sweep(1, 7);

test('rule 47: every control, format, default-ignorable and unassigned character of Unicode is shown by its number', () => {
  const isHidden = /^[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Cn}]$/u;
  let count = 0;
  for (let code = 0; code <= 0x10ffff; code += code < 0x10000 ? 1 : step) {
    const character = String.fromCodePoint(code);
    const isShown = reveal(`a${character}b`) !== `a${character}b`;
    const should = isHidden.test(character) && character !== '\t' && character !== '\n';
    if (isShown !== should) expect(`U+${code.toString(16)}`).toBe(should ? 'shown' : 'kept');
    if (!should) continue;
    count++;
    const number = code.toString(16).toUpperCase().padStart(4, '0');
    if (reveal(character) !== `<U+${number}>`) expect(reveal(character)).toBe(`<U+${number}>`);
  }
  process.stdout.write(`hidden characters tried: ${count}\n`);
  expect(count).toBeGreaterThan(800_000 / step);
});

test.each([
  ['a family and a profession', '👩‍👩‍👧 👩🏽‍💻 ❤️‍🔥'],
  ['an emoji that has a text form, and a keycap', '❤️ ☂️ 1️⃣ #️⃣'],
  ['Persian with its joiners', 'می‌خواهم نامه‌ای بنویسم'],
  ['Sinhala and Hindi with theirs', 'ශ්‍රී ලංකා क्‍ष'],
  ['Hebrew and Arabic letters', 'שלום, العربية'],
  ['accents that stand apart, and every script', 'e\u0301 naïve 漢字 ไทย'],
  ['lines and tabs', 'one\n\ttwo'],
  ['icons of fonts, which have characters for private use', '\ue0b0 \u{f0041}'],
])('rule 47: real text stays as it is: %s', (_, text) => {
  expect(reveal(text)).toBe(text);
});

test.each([
  ['a joiner between Latin letters', 'a\u200db', 'a<U+200D>b'],
  ['two joiners in Persian', 'می\u200c\u200cخ', 'می<U+200C><U+200C>خ'],
  ['a variation selector behind a letter', 'a\ufe0f', 'a<U+FE0F>'],
  ['a second one behind an emoji', '❤\ufe0f\ufe0f', '❤\ufe0f<U+FE0F>'],
  ['one behind a digit that is no keycap', '1\ufe0f2', '1<U+FE0F>2'],
  ['a flag of a region: the same tags carry hidden texts', '🏴\u{e0067}', '🏴<U+E0067>'],
  ['a variant of a Chinese character', '葛\u{e0100}', '葛<U+E0100>'],
  ['code points that are nobody’s yet', 'A\u{50041}B\u0378', 'A<U+50041>B<U+0378>'],
  ['a joiner between emoji to come', '\u{1faff}\u200d\u{1faff}', '<U+1FAFF><U+200D><U+1FAFF>'],
  ['a mark of direction in Hebrew', 'א\u200fב', 'א<U+200F>ב'],
])('rule 47: it is shown elsewhere: %s', (_, text, shown) => {
  expect(reveal(text)).toBe(shown);
});

test('within a line there is one line', () => {
  expect(revealLine('a\nb\tc\u0085d\u2028e')).toBe('a<U+000A>b c<U+0085>d<U+2028>e');
});

test('rule 47: a document escapes them all, and stays the same document', () => {
  const document = { text: 'a\u007f\u009b2J\u00ad\u200d\u2028\u{e0041}\ud800 👩‍👧 é', n: [1] };
  const json = escapeHidden(JSON.stringify(document));
  expect(json).toContain(
    'a\\u007f\\u009b2J\\u00ad\\u200d\\u2028\\udb40\\udc41\\ud800 👩\\u200d👧 é',
  );
  expect(JSON.parse(json)).toEqual(document);
});
