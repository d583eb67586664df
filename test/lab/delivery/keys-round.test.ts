import { expect, test } from 'vitest';
import { isMixed, planRound } from './keys-round.ts';

const letter = { id: 'msg_1', word: 'letter0123456789' };
const body = `${letter.word} is the whole message`;
const line = '<signalbox lead:1 mark_0>';
const said = '[SYSTEM NOTIFICATION - NOT USER INPUT]\nThis is …\n--- 0 msg_1 · message\n';

test.each([
  ['alone', `${line}\n${body}`, false],
  ['with a line break at its end', `${line}\n${body}\n`, false],
  ['in an envelope', `<signalbox mark_0>\nMail.\n--- 1 message\n${body}\n</signalbox 0>`, false],
  ['in a torn envelope', `<signalbox mark_0>\nMail.\n${body}\n</signalbox 0`, true],
  ['in what a hook said', `${said}${body}\n--- 0 end of msg_1`, false],
  ['with a key in what a hook said', `${said}%${body}\n--- 0 end of msg_1`, true],
  ['torn in what a hook said', `${said}${body.slice(0, -1)}\n--- 0 end of msg_1`, true],
  ['another prompt', 'letter9999999999 is the whole message', false],
  ['with one key behind it', `${line}\n${body}%`, true],
  ['with keys before it', `%a${line}\n${body}`, true],
  ['without its first letter', `${line.slice(1)}\n${body}`, true],
  ['without its last letter', `${line}\n${body.slice(0, -1)}`, true],
  ['with a letter torn out of its word', `${line}\n${body.slice(1)}`, true],
])('a prompt with a message is mixed unless the message stands in it %s: %j', (_, text, mixed) => {
  expect(isMixed({ isSide: false, lastUserText: text }, letter)).toBe(mixed);
});

test("a CLI's own request is no prompt", () => {
  expect(isMixed({ isSide: true, lastUserText: `${line}\n${body}%` }, letter)).toBe(false);
});

test('the keys begin at 0 to 500 ms, each time once with Enter and once without', () => {
  const plans = Array.from({ length: 6 }, (_, n) => planRound(n, 6));
  expect(plans.map(({ afterMs }) => afterMs)).toEqual([0, 0, 250, 250, 500, 500]);
  expect(plans.map(({ isEntered }) => isEntered)).toEqual([false, true, false, true, false, true]);
});
