import { expect, test } from 'vitest';
import type { Entry, Fact } from './journal.ts';
import { TaskBook } from './task-book.ts';
import { taskSent } from './team.ts';

test('each agent has one task to work on and one that waits, whatever the others do', () => {
  const book = new TaskBook([]);
  expect(numbers(book)).toEqual([1, 2, 3, 4, 5, 6]);
  for (const letter of book.due()) give(book, letter);
  expect(numbers(book)).toEqual([]);
  book.note(got('done 2: install the tools'));
  book.note(got('done 5: name the tables'));
  expect(numbers(book)).toEqual([8, 11]);
});

test('rule 33: a lead that was killed in mid-send sends that one again, and counts it once', () => {
  const first = new TaskBook([]);
  const notes: Fact[] = first
    .due()
    .slice(0, 2)
    .map(({ to, text }) => ({ fact: 'sending', to, text }));
  notes.push({ fact: 'accepted', id: 'msg_1', to: 'worker-1', text: '', duplicate: false });
  const again = new TaskBook(notes.map((note) => ({ ...note, agent: 'lead', pid: 1 }) as Entry));
  expect(numbers(again).slice(0, 2)).toEqual([1, 2]);
  expect(new Set(numbers(again)).size).toBe(6);
});

function numbers(book: TaskBook): readonly (number | undefined)[] {
  return book
    .due()
    .map(({ text }) => taskSent(text))
    .sort((a = 0, b = 0) => a - b);
}

function give(book: TaskBook, { to, text }: { to: string; text: string }): void {
  book.note({ fact: 'sending', to, text });
  book.note({ fact: 'accepted', id: `msg_${text}`, to, text, duplicate: false });
}

function got(text: string): Fact {
  return { fact: 'received', copies: [{ id: 'msg_9', from: 'worker-2', text, repeat: false }] };
}
