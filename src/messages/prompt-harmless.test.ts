import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sweep } from '../../test/support/sweep.ts';
import { reveal } from '../shared/reveal.ts';
import { toNewMessage } from './message-store.ts';
import { breakMarks } from './neutralise.ts';
import { writePrompt } from './prompt.ts';

const mark = 'mark_01m7g0gbbj00bfv53whydz7pvk_x770862avmp8fk27ejq6j07y4k';
const numRuns = sweep(5000, 500);

function write(body: string): string {
  const row = { kind: 'message', from: 'agt_user', to: 'agt_me', body } as const;
  const created = { id: 'msg_1', state: 'queued', createdAt: 0, cause: 'accepted' } as const;
  const message = toNewMessage({ ...row, ...created }, 1);
  return writePrompt(mark, [message], { at: 0, isOld: () => false, nameOf: (id: string) => id })
    .text;
}

/** As Claude Code 2.1.325 was seen to harm a pasted text, or to act on it. */
const isHarmful = (pasted: string): boolean =>
  /^\s*(?:exit|quit|:w?q!?)\s*$/.test(pasted) ||
  /^\s*[/!#@]/.test(pasted) ||
  /\\$/.test(pasted) ||
  /\s$/.test(pasted) ||
  /\r|[^\P{Cc}\t\n]/u.test(pasted);

test.each([
  ...['exit', 'quit', ':q', ':q!', ':wq', ':wq!', ' exit ', 'exit\n'],
  ...['/clear', '/unknown words', '!touch x', '# remember this', '@secret.txt'],
  ...['a last backslash \\', 'two \\\\', 'one before blanks \\ \n\t', '\\', '', ' \n '],
  ...['a\x1b[201~\nb', 'a\x1b[200~b', 'x\u202ey', '\u200b/clear', '\u200b!touch x', 'a\r\nb\rc'],
])('rule 51f: as a prompt %j does no harm', (text) => {
  expect(isHarmful(text) || reveal(text) !== text || text === '').toBe(true);
  expect(isHarmful(write(text))).toBe(false);
});

test('rule 51f: the user’s own words stay as they are, with their paths, tabs and signs', () => {
  const text = 'Fix @src/a.ts, $b and `@c`:\n\n\t$HOME/* \\@d é 👩‍👧 漢字 "q" <b> (1)\n/not/first';
  expect(write(text).split('\n').slice(1).join('\n')).toBe(text);
});

test('rule 51f: any text becomes a harmless one of the same words', () => {
  const signs = fc.constantFrom(
    ...['\\', '\\', '@', '/', '!', '#', 'exit', ':q', '\n', '\r', '\t', ' ', 'a', 'é', '漢', '.'],
    ...['\x1b[201~', '\x1b', '\x00', '\x7f', '\x9b', '\u200b', '\u2060', '\u202e', '\ufeff'],
    ...['\u2028', '👩‍👧'],
  );
  const text = fc.array(signs, { maxLength: 20 }).map((parts) => parts.join(''));
  const [line = ''] = write('x').split('\n');
  const holds = (given: string): void => {
    const written = write(given);
    expect(isHarmful(written)).toBe(false);
    expect(reveal(written)).toBe(written);
    const words = breakMarks(reveal(given.replaceAll(/\r\n?/g, '\n')));
    const whole = `${line}\n${words}`.trimEnd();
    expect([whole, `${whole}.`]).toContain(written);
  };
  fc.assert(fc.property(fc.oneof(text, fc.string({ unit: 'binary' })), holds), { numRuns });
});
