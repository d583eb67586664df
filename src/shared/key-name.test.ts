import { expect, test } from 'vitest';
import { parseKeyName } from './key-name.ts';

test.each([
  ['F9', { label: 'F9', tmux: 'F9' }],
  ['f12', { label: 'F12', tmux: 'F12' }],
  ['Ctrl-q', { label: 'Ctrl-q', tmux: 'C-q' }],
  ['ctrl+Q', { label: 'Ctrl-q', tmux: 'C-q' }],
  ['C-]', { label: 'Ctrl-]', tmux: 'C-]' }],
  ['^]', { label: 'Ctrl-]', tmux: 'C-]' }],
  ['^^', { label: 'Ctrl-^', tmux: 'C-^' }],
  ['Ctrl-\\', { label: 'Ctrl-\\', tmux: 'C-\\' }],
  ['Alt-q', { label: 'Alt-q', tmux: 'M-q' }],
  // A capital letter is another key of Alt.
  ['M-Q', { label: 'Alt-Q', tmux: 'M-Q' }],
])('%s is a key', (text, key) => {
  expect(parseKeyName(text)).toEqual(key);
});

test.each([
  ...['', 'q', 'F0', 'F13', 'F1 2', 'Enter', 'Ctrl-', 'Ctrl-qq', 'C-é', 'M-;', 'M-#', 'C-q ; kill'],
])('%j is none', (text) => {
  expect(parseKeyName(text)).toBeUndefined();
});

test.each([...'bcdhijmz['])('Ctrl-%s stays with the program in the terminal', (key) => {
  expect(parseKeyName(`Ctrl-${key}`)).toBeUndefined();
});
