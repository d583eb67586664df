import { expect, test } from 'vitest';
import { TmuxPane } from './tmux-pane.ts';

const pane = TmuxPane.ofAttach(['tmux', '-S', '/tmp/s', 'attach', '-t', '%1']);
const prompt = '@@play letterc07a73ddc3';
const screen = (rows: readonly string[], cursor: { readonly x: number; readonly y: number }) => {
  const text = rows.join('\n');
  const size = { columns: 120, rows: rows.length, isAlternate: false, title: '' };
  return { ...size, text, styled: text, cursor: { ...cursor, isVisible: true } };
};

test('a prompt is written where the cursor is, and still there where Gemini 0.61.0 took Enter for a new line of it', () => {
  expect(pane.isWritten(screen([` > ${prompt}`], { x: 26, y: 0 }), prompt)).toBe(true);
  expect(pane.isWritten(screen([` > ${prompt}`, '   '], { x: 3, y: 1 }), prompt)).toBe(true);
});

test('a prompt that was sent is not written, although the conversation shows it', () => {
  const composer = ' >   Type your message or @path/to/file';
  expect(pane.isWritten(screen([` > ${prompt}`, composer], { x: 3, y: 1 }), prompt)).toBe(false);
  // The cursor is parked while everything is drawn anew.
  expect(pane.isWritten(screen([` > ${prompt}`, ''], { x: 0, y: 1 }), prompt)).toBe(false);
});
