import { describe, expect, test } from 'vitest';
import { tellFacts } from './question-text.ts';

describe('tellFacts', () => {
  test('one fact is one line, and one without a value is none', () => {
    const facts = [
      ['command', 'ls'],
      ['reason', null],
      ['folder', '/srv/app'],
      ['note', ''],
    ] as const;
    expect(tellFacts(facts)).toEqual({
      text: 'command: ls\nfolder: /srv/app',
      decisions: ['allow', 'deny'],
    });
  });

  test('further lines of a value stand behind blanks, whatever ends them', () => {
    const command = 'a\nreason: b\r\nc\rd\u2028e\u2029f\u0085g\vh\fi';
    expect(tellFacts([['command', command]]).text.split('\n')).toEqual([
      'command: a',
      '  reason: b',
      ...['c', 'd', 'e', 'f', 'g', 'h', 'i'].map((letter) => `  ${letter}`),
    ]);
  });

  test('an input is below its name, key by key, and a key cannot begin a line of its own', () => {
    const input = {
      path: 'a\nb',
      'x\nfolder': 1,
      list: [1, 'two'],
      none: null,
      inner: { y: true },
    };
    expect(tellFacts([['input', input]]).text.split('\n')).toEqual([
      'input:',
      '  path: a',
      '    b',
      '  "x\\nfolder": 1',
      '  list: [1,"two"]',
      '  none: null',
      '  inner:',
      '    y: true',
    ]);
  });

  test('O5: what is too long is cut, says so, and can only be refused', () => {
    const { text, decisions } = tellFacts([['command', `${'😀'.repeat(40_000)} end`]]);
    expect(decisions).toEqual(['deny']);
    expect(text).toMatch(/\n\(cut: \d+ more characters, which only the terminal shows/);
    expect(text.length).toBeLessThan(66_000);
    expect(Buffer.from(text).toString()).toBe(text);
  });

  test('O5: an input nested without end is told without an error', () => {
    let deep: object = {};
    for (let n = 0; n < 100_000; n++) deep = { a: deep };
    expect(tellFacts([['input', deep]]).decisions).toEqual(['deny']);
    expect(tellFacts([['input', { b: { c: { d: { e: { f: 1 } } } } }]]).text).toContain('{"f":1}');
  });
});
