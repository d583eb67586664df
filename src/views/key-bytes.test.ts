import { expect, test } from 'vitest';
import { keyBytes, type PressedKey, pastedText } from './key-bytes.ts';

const off = { ctrlKey: false, altKey: false, shiftKey: false, metaKey: false, isComposing: false };
const ctrl = { ctrlKey: true };
const alt = { altKey: true };

test.each([
  ['Enter', {}, '\r'],
  ['Escape', {}, '\u001b'],
  ['Backspace', {}, '\u007f'],
  ['Tab', { shiftKey: true }, '\u001b[Z'],
  ['ArrowUp', {}, '\u001b[A'],
  ['ArrowLeft', ctrl, '\u001b[1;5D'],
  ['ArrowUp', { shiftKey: true, ...alt }, '\u001b[1;4A'],
  ['Delete', {}, '\u001b[3~'],
  ['F1', {}, '\u001bOP'],
  ['F5', {}, '\u001b[15~'],
  ['F12', {}, '\u001b[24~'],
  ['c', ctrl, '\u0003'],
  ['C', ctrl, '\u0003'],
  [' ', ctrl, '\u0000'],
  [']', ctrl, '\u001d'],
  ['b', alt, '\u001bb'],
  ['Enter', alt, '\u001b\r'],
])('%s with %o', (key, held, bytes) => {
  expect(keyBytes(pressed(key, held))).toBe(bytes);
});

test.each([
  ['a letter, which comes as an input event', 'a', {}],
  ['a letter of AltGr', '@', { ...ctrl, ...alt }],
  ['a shortcut of the browser', 'r', { metaKey: true }],
  ['a dead key', 'Dead', {}],
  ['a key of an input method', 'Process', {}],
  ['a key while something is composed', 'Enter', { isComposing: true }],
  ['a modifier alone', 'Shift', { shiftKey: true }],
  ['a key of no terminal', 'AudioVolumeUp', {}],
  ['a function key that none has', 'F20', {}],
  ['a control of a sign without one', 'é', ctrl],
])('%s sends nothing by itself', (_, key, held) => {
  expect(keyBytes(pressed(key, held))).toBe(undefined);
});

test('a paste presses no key: control characters are dropped, and lines do not send', () => {
  expect(pastedText('one line')).toBe('one line');
  expect(pastedText('a\r\nb\nc\rd')).toBe('\u001b[200~a\rb\rc\rd\u001b[201~');
  expect(pastedText('rm\u0003 -rf\u001b[201~\n/')).toBe('\u001b[200~rm -rf[201~\r/\u001b[201~');
});

function pressed(key: string, held: Partial<PressedKey>): PressedKey {
  return { key, ...off, ...held };
}
