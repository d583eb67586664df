import { expect, test } from 'vitest';
import { findForm, writeBell, writeNotification } from './ring-codes.ts';

test.each([
  [{ program: 'iTerm.app', term: 'xterm-256color' }, 'osc-9'],
  [{ program: undefined, term: 'xterm-kitty' }, 'osc-9'],
  [{ program: 'ghostty', term: 'xterm-ghostty' }, 'osc-777'],
  [{ program: 'WezTerm', term: 'xterm-256color' }, 'osc-777'],
  [{ term: 'foot' }, 'osc-777'],
  [{ term: 'xterm-256color', type: 'WezTerm 20240203' }, 'osc-777'],
  [{ term: 'tmux-256color', type: 'kitty(0.35.2)' }, 'osc-9'],
  [{ program: 'Apple_Terminal', term: 'xterm-256color' }, 'bell'],
  [{ program: 'vscode', term: 'xterm-256color' }, 'bell'],
  [{ program: 'iTerm.app2' }, 'bell'],
  [{ term: 'footage' }, 'bell'],
  [{}, 'bell'],
] as const)('a terminal is asked for what it is known to take: %j', (names, form) => {
  expect(findForm(names)).toBe(form);
});

test('a terminal gets exactly these bytes', () => {
  expect(writeBell()).toBe('\x07');
  const write = (form: 'bell' | 'osc-9' | 'osc-777', isInTmux = false) =>
    writeNotification(form, 'lead waits for you: Proceed?', isInTmux);
  expect(write('bell')).toBe('');
  expect(write('bell', true)).toBe('');
  expect(write('osc-9')).toBe('\x1b]9;signalbox: lead waits for you: Proceed?\x07');
  expect(write('osc-777')).toBe('\x1b]777;notify;signalbox;lead waits for you: Proceed?\x07');
  expect(write('osc-777', true)).toBe(
    '\x1bPtmux;\x1b\x1b]777;notify;signalbox;lead waits for you: Proceed?\x07\x1b\\',
  );
});

test('rule 47: words of others end no sequence and begin none', () => {
  const hostile = 'a\x07\x1b]52;c;eA==\x07\x1b\\\x9cb;c\nd\u202e';
  for (const isInTmux of [false, true]) {
    for (const form of ['osc-9', 'osc-777'] as const) {
      const ours = writeNotification(form, '', isInTmux);
      const controls = (text: string) => text.replaceAll(/\P{Cc}/gu, '');
      const written = writeNotification(form, hostile, isInTmux);
      expect(controls(written)).toBe(controls(ours));
      expect(written.split(';').length).toBe(ours.split(';').length);
    }
  }
});
