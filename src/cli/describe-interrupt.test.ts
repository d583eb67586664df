import { expect, test } from 'vitest';
import type { InterruptView } from '../protocol/interrupt.ts';
import { describeInterrupt } from './describe-interrupt.ts';

const user = { id: 'agt_user', name: 'user', session: 'default' };
const done: InterruptView = {
  ...{ id: 'agt_1', name: 'lead', session: 'default', by: 'keys', presses: 1 },
  ...{ status: 'completed', messages: [], waiting: 0 },
};
const prompt: InterruptView['messages'][number] = {
  ...{ id: 'msg_1', short: 'lead:412', from: user, kind: 'message', state: 'dead' },
  ...{ standing: 'prompt', fate: 'taken-back' },
};

test('rule 51d: what became of the prompt and of what waits is one line', () => {
  const waitsFor = 'they go in when its terminal has been quiet for 10 s';
  expect(describeInterrupt({ ...done, messages: [prompt], waiting: 2, waitsFor }, 'lead')).toBe(
    `lead stopped. Your prompt lead:412 was taken back. 2 messages wait: ${waitsFor}.`,
  );
  expect(describeInterrupt(done, 'shop/lead')).toBe('shop/lead stopped.');
  expect(describeInterrupt({ ...done, waiting: 1 }, 'lead')).toBe('lead stopped. 1 message waits.');
});

test('rule 39: a question that was under way is not hidden', () => {
  expect(describeInterrupt({ ...done, hasAsked: true, waiting: 1 }, 'lead')).toBe(
    'lead stopped. It was about to ask you something, which ended with its turn: nothing was allowed. 1 message waits.',
  );
});

test.each([
  ['broken-off', 'was read, and its answer is broken off'],
  ['put-back', 'stands in its composer again: send or delete it there'],
  ['taken-out', 'is out of its conversation, and goes in again after its next turn'],
  ['in-conversation', 'stays in its conversation, without an answer'],
  ['given-up', 'is dead'],
  ['unknown', 'is not accounted for yet: `signalbox explain lead:412` will say what became of it'],
] as const)('each fate is said: %s', (fate, says) => {
  const told = describeInterrupt({ ...done, messages: [{ ...prompt, fate }] }, 'lead');
  expect(told).toBe(`lead stopped. Your prompt lead:412 ${says}.`);
});

test('rule 47: words of others are shown as one line, and their sender is named', () => {
  const from = { id: 'agt_2', name: 'ann', session: 'default' };
  const held = { ...prompt, from, kind: 'task', fate: 'broken-off' } as const;
  expect(describeInterrupt({ ...done, messages: [held] }, 'le\nad')).not.toContain('\n');
  expect(describeInterrupt({ ...done, messages: [held] }, 'lead')).toContain(
    'The task lead:412 from ann was read',
  );
});
