import { expect, test } from 'vitest';
import { SpokenMessages } from './spoken.ts';

const ids = { sessionID: 'ses_a', messageID: 'msg_2' };
const delta = (text: string) => ({
  type: 'message.part.delta',
  properties: { ...ids, partID: 'prt_1', field: 'text', delta: text },
});
const part = (fields: object) => ({
  type: 'message.part.updated',
  properties: { part: { id: 'prt_1', ...ids, ...fields } },
});

test.each([
  ['an empty word', delta('')],
  ['a blank one', delta('\n')],
  ['the start of a step', part({ type: 'step-start' })],
  ['a text that is about to come', part({ type: 'text', text: '' })],
  ['a thought that is about to come', part({ type: 'reasoning', text: '' })],
  ['what OpenCode says in the model’s name', part({ type: 'text', text: 'x', synthetic: true })],
  ['an event of a strange shape', { type: 'message.part.delta', properties: 7 }],
])('rule 43: %s is no output', (_, event) => {
  const spoken = new SpokenMessages();
  expect(spoken.take(event)).toBe(false);
  expect(spoken.has('msg_2')).toBe(false);
  expect(spoken.take(delta('Yes'))).toBe(true);
});

test.each([
  ['a word', delta('Yes')],
  ['a text', part({ type: 'text', text: 'Yes' })],
  ['a thought', part({ type: 'reasoning', text: 'Hm' })],
  ['a call', part({ type: 'tool', tool: 'bash', state: { status: 'pending' } })],
])('rule 43: %s is output, and told once', (_, event) => {
  const spoken = new SpokenMessages();
  const head = JSON.stringify(event);
  expect(spoken.isNews(head)).toBe(true);
  expect(spoken.take(event)).toBe(true);
  expect(spoken.has('msg_2')).toBe(true);
  expect(spoken.isNews(head)).toBe(false);
  expect(spoken.take(event)).toBe(false);
});
