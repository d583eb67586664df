import { expect, test } from 'vitest';
import type { Note } from '../torture/delivery/journal.ts';
import { readReceipts } from '../torture/delivery/receipts.ts';
import { asked, input, message, prompt, started, text } from './fixtures/torture-texts.ts';

/** What the torture reads out of its programs' journals. */

test('what a program got is read out of the envelope that delivery writes, mark, bodies and repeats', () => {
  const { receipts, misplaced } = readReceipts('ada', [started, prompt(text)]);
  expect(misplaced).toEqual([]);
  expect(receipts).toEqual([
    {
      ...{ agent: 'ada', life: 1, mark: 'mark_1', standing: 'notice' },
      copies: [
        { id: 'ada:1', body: message.body, repeat: false },
        { id: 'ada:2', body: message.body, repeat: true },
      ],
    },
  ]);
});

test('rule 51: a prompt of the user is read out of the text that delivery writes', () => {
  expect(asked).toContain(' written 20s ago>');
  const { receipts, misplaced, judged } = readReceipts('ada', [started, prompt(asked)]);
  expect(misplaced).toEqual([]);
  expect(receipts).toEqual([
    {
      ...{ agent: 'ada', life: 1, mark: 'mark_2', standing: 'prompt' },
      copies: [
        { id: 'ada:3', body: message.body, repeat: false },
        { id: 'ada:4', body: 'k2 for ada. Go on.', repeat: false },
      ],
    },
  ]);
  expect(judged.count('misplaced: a prompt of the user, by us')).toBe(1);
});

test.each([
  ['before it', `by-hand-1 a thought${asked}`],
  ['behind it', `${asked}by-hand-1 a thought`],
  ['an envelope behind it', `${asked}\n${text}`],
  ['a piece of it', asked.slice(5)],
])('rules 24, 51: a prompt of the user that is not alone (%s) is misplaced', (_, entered) => {
  expect(readReceipts('ada', [started, prompt(entered)]).misplaced).toHaveLength(1);
});

test('rule 51: what a person sends along with a prompt of theirs is theirs', () => {
  const notes = [started, prompt(`${asked}by-hand-entered-2 @@work`)];
  expect(readReceipts('ada', notes)).toMatchObject({
    ...{ misplaced: [], along: 1 },
    receipts: [{ copies: [{}, { body: 'k2 for ada. Go on.' }] }],
  });
});

test.each([
  ['before it', `by-hand-1 a thought${text}`],
  ['behind it', `${text}by-hand-1 a thought`],
  ['in two', `${text}${text}`],
  ['a piece of it', text.slice(0, 150)],
  ['its end', text.slice(150)],
])('rule 24: an envelope that is not alone in its prompt (%s) is misplaced', (_, entered) => {
  expect(readReceipts('ada', [started, prompt(entered)]).misplaced).toHaveLength(1);
});

test('a person’s own prompt is theirs, and so is what they send along with it', () => {
  const notes = [prompt('by-hand-entered-1 @@work 300'), prompt(`${text}by-hand-entered-2 @@work`)];
  expect(readReceipts('ada', [started, ...notes])).toMatchObject({
    ...{ misplaced: [], byHand: 2, along: 1 },
    receipts: [{ mark: 'mark_1' }],
  });
});

test.each([
  ['a paste', ['\x1b[200~<signalbox', ' mark_1>'], 1],
  ['an Enter', ['\r'], 1],
  ['a person’s answer', ['1'], 0],
  ['a person’s words', ['by-hand-entered-1 @@work 300', '\r'], 0],
])('rule 24: %s into a dialog', (_, reads, found) => {
  const notes: Note[] = [started, { what: 'asked' }, ...reads.map(input)];
  expect(readReceipts('ada', notes).misplaced).toHaveLength(found);
  const answered: Note[] = [...notes, { what: 'answered' }, input('\r')];
  expect(readReceipts('ada', answered).misplaced).toHaveLength(found);
});
