import { expect, test } from 'vitest';
import { findAnswer } from './answer.ts';
import { cutLastAnswer } from './cut.ts';

/** Messages as OpenCode 1.18.33 gave them, shortened. */
const prompt = (text = 'Please.'): unknown => ({
  info: { role: 'user' },
  parts: [{ type: 'text', text }],
});
const reply = (...texts: readonly string[]): unknown => ({
  info: { role: 'assistant', finish: 'stop', time: { created: 1, completed: 2 } },
  parts: [{ type: 'step-start' }, ...texts.map((text) => ({ type: 'text', text }))],
});
const tool: unknown = {
  info: { role: 'assistant', time: { created: 1 } },
  parts: [{ type: 'step-start' }, { type: 'tool', tool: 'bash', state: { status: 'running' } }],
};
const failure: unknown = {
  info: { role: 'assistant', error: { name: 'APIError', data: { message: 'mock failure 401' } } },
  parts: [],
};

/** Oldest first, as they were said. */
async function last(messages: readonly unknown[], isAtWork = false) {
  async function* backwards(): AsyncGenerator<unknown> {
    yield* messages.toReversed();
  }
  return await findAnswer(backwards(), isAtWork);
}
const answer = (text: string, isPartial = false) => ({ kind: 'answer', text, isPartial });
const earlier = (text: string) => ({ ...answer(text), isEarlier: true });

test('the answer is what was said last, in all its parts', async () => {
  const talk = [prompt(), reply('First.'), prompt(), tool, reply('One.', 'Two.')];
  expect(await last(talk)).toEqual(answer('One.\n\nTwo.'));
});

test('a turn that failed or ended without text is no response (B15)', async () => {
  expect(await last([prompt(), reply('First.'), prompt(), failure])).toEqual({
    kind: 'no-response',
  });
  expect(await last([prompt(), tool])).toEqual({ kind: 'no-response' });
  expect(await last([])).toEqual({ kind: 'no-response' });
});

test('while a turn goes on its words are partial, and without any the answer before it still is the last', async () => {
  const before = [prompt(), reply('First.'), prompt()];
  const said = {
    info: { role: 'assistant', finish: 'tool-calls' },
    parts: [{ type: 'text', text: 'I look.' }, { type: 'tool' }],
  };
  expect(await last([...before, tool], true)).toEqual(earlier('First.'));
  expect(await last(before, true)).toEqual(earlier('First.'));
  expect(await last([...before, said, tool], true)).toEqual(answer('I look.', true));
  expect(await last([...before, said, tool])).toEqual(answer('I look.'));
});

test('a prompt that was broken off before anything came is passed over', async () => {
  expect(await last([prompt(), reply('First.'), prompt()])).toEqual(earlier('First.'));
});

test('what OpenCode says in the person’s name, and its summaries, are no part of the talk', async () => {
  const synthetic = {
    info: { role: 'user' },
    parts: [{ type: 'text', text: 'Continue.', synthetic: true }],
  };
  const summary = {
    info: { role: 'assistant', summary: true },
    parts: [{ type: 'text', text: 'We talked.' }],
  };
  expect(await last([prompt(), reply('First.'), synthetic, summary])).toEqual(answer('First.'));
  expect(await last([prompt(), reply('First.'), 7, null, { info: 3, parts: 'x' }])).toEqual(
    answer('First.'),
  );
});

test('without a server the answer is cut out of the screen, and is partial when its beginning is not there', () => {
  const screen = `
  ┃
  ┃  Please look.
  ┃

     $ touch a.txt

     It is there:
       one
       two

     ▣  Build · mock-model · 6.5s

  ┃
  ┃
  ┃  Build · mock-model mock
  ╹▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀
`;
  expect(cutLastAnswer(screen)).toEqual(answer('It is there:\n  one\n  two'));
  const tail = screen.slice(screen.indexOf('     It is'));
  expect(cutLastAnswer(tail)).toEqual(answer('It is there:\n  one\n  two', true));
  expect(cutLastAnswer('nothing of that kind')).toBeUndefined();
});
