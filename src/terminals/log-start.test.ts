import { describe, expect, test } from 'vitest';
import { cutToDraw, settleNotes } from './log-start.ts';

const enter = '\x1b[?1049h';
const leave = '\x1b[?1049l';
const cut = (text: string, most: number): string => cutToDraw(Buffer.from(text), most).toString();

describe('the end of a log that is drawn', () => {
  test('is all of a short one', () => {
    expect(cut('half\x1b[3', 100)).toBe('half\x1b[3');
  });

  test('begins with a whole line, sequence and character', () => {
    expect(cut('first line\nsecond\n', 12)).toBe('second\n');
    expect(cut('text \x1b[38;5;208mred\x1b[0m and more', 19)).toBe('\x1b[0m and more');
    expect(cut('a caf\u00e9\nend', 5)).toBe('end');
    expect(cut('no end of a line', 4)).toBe('line');
  });

  test('begins where a program came to the second screen that stood there by then', () => {
    const text = `$ tool\n${enter}header${'x'.repeat(50)}\x1b[5;1Hnow`;
    expect(cut(text, 10)).toBe(text.slice(7));
    for (const other of ['\x1b[?47h', '\x1b[?1047h']) {
      expect(cut(`${other}header${'x'.repeat(50)}`, 10)).toMatch(/header/);
    }
  });

  test('begins in the middle of the switch itself no less', () => {
    const text = `before ${enter}header and more`;
    for (let most = 16; most < 24; most++)
      expect([most, cut(text, most)]).toEqual([most, `${enter}header and more`]);
  });

  test('does not go back to a second screen that was left', () => {
    const text = `${enter}header${leave}${'line\n'.repeat(20)}`;
    expect(cut(text, 12)).toBe('line\nline\n');
  });

  test('stands in the second screen where only the leaving is left of it', () => {
    expect(cut(`${'x'.repeat(50)}\x1b[2;1Hmenu${leave}$ bye\n`, 30)).toBe(
      `${enter}\x1b[2;1Hmenu${leave}$ bye\n`,
    );
    // It leaves one that it came to since.
    expect(cut(`${'x'.repeat(50)}\n${enter}menu${leave}`, 21)).toBe(`${enter}menu${leave}`);
  });
});

describe('a note of ours', () => {
  const settle = (text: string): string => settleNotes(Buffer.from(text)).toString();
  const gap = '\r\n[signalbox: 7 bytes dropped here]\r\n';
  const end = '\r\n[signalbox: its program ended; its last screen was]\r\nbye';

  test('ends the sequence in which it stands', () => {
    expect(settle(`a\x1b[3${gap}b${gap}`)).toBe(`a\x1b[3\x18${gap}b\x18${gap}`);
    expect(settle(gap)).toBe(`\x18${gap}`);
    expect(settle('no note')).toBe('no note');
  });

  test('leaves the second screen when it tells an end', () => {
    expect(settle(`${enter}page${end}`)).toBe(`${enter}page\x18${leave}${end}`);
  });
});
