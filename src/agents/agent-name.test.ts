import { expect, test } from 'vitest';
import { closestName, parseName } from './agent-name.ts';

test('names of any script are taken, and what a shell or terminal would read is refused', () => {
  for (const name of ['worker-2', 'a', 'Ünïcode.x', '作業者', 'x'.repeat(64)]) {
    expect(parseName(name, 'agent')).toBe(name.normalize('NFC'));
  }
  const bad = [
    '',
    'a b',
    '-x',
    '.x',
    'a\n',
    'a\u001b[31m',
    'x'.repeat(65),
    '$(id)',
    'a/b',
    'a\u200bb',
    '\u3164',
  ];
  for (const name of bad) {
    expect(() => parseName(name, 'agent')).toThrow(
      expect.objectContaining({ code: 'invalid-input' }),
    );
  }
});

test('reserved words are refused for agents, in any case', () => {
  for (const name of ['user', 'USER', 'self', 'agt_1', 'msg_1']) {
    expect(() => parseName(name, 'agent')).toThrow(
      expect.objectContaining({ code: 'name-reserved' }),
    );
  }
  expect(parseName('user', 'session')).toBe('user');
});

test('what only looks like a reserved word is refused for agents, with the word it looks like', () => {
  const likes: readonly [string, string][] = [
    ['usеr', 'user'], // Cyrillic е
    ['ｕｓｅｒ', 'user'], // full width
    ['𝐮𝐬𝐞𝐫', 'user'], // mathematical bold
    ['ѕеlf', 'self'], // Cyrillic ѕ and е
    ['SЕLF', 'self'], // a capital Cyrillic Е
    ['se1f', 'self'],
    ['signa1b0x', 'signalbox'],
    ['SlGNALBOX', 'signalbox'], // a small l for the I
    ['ѕіgnаlbох', 'signalbox'],
  ];
  for (const [name, word] of likes) {
    expect(() => parseName(name, 'agent')).toThrow(
      expect.objectContaining({
        code: 'name-reserved',
        message: expect.stringContaining(`looks like "${word}"`),
      }),
    );
  }
  for (const name of ['аgt_1', 'mѕg_1', 'ＡＧＴ_1']) {
    expect(() => parseName(name, 'agent')).toThrow(
      expect.objectContaining({ code: 'name-reserved' }),
    );
  }
  // Nothing is the user's but these.
  for (const name of ['users', 'usera', 'usér', 'worker1', 'workerl', 'm', 'rn', '作業者', 'нос']) {
    expect(parseName(name, 'agent')).toBe(name.normalize('NFC'));
  }
});

test('the closest name is suggested, and none when none is near', () => {
  expect(closestName('wrker', ['lead', 'worker', 'user'])).toBe('worker');
  expect(closestName('laed', ['lead', 'worker'])).toBe('lead');
  expect(closestName('WORKER', ['lead', 'worker'])).toBe('worker');
  expect(closestName('zzz', ['lead', 'worker'])).toBeUndefined();
  expect(closestName('x', [])).toBeUndefined();
});
