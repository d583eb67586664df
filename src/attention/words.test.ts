import { expect, test } from 'vitest';
import type { Cause } from './cause.ts';
import { describeCauses, describeInLine } from './words.ts';

function cause(name: string, kind: Cause['kind'], text = 'Proceed?'): Cause {
  const agent = { id: `agt_${name}`, name };
  const next = `signalbox attach ${name}`;
  return { kind, agent, epoch: 1, since: 0, text, isKnown: true, next };
}

test('rule 48: one cause is told with its words and the command that leads there', () => {
  expect(describeCauses([cause('lead', 'question')])).toEqual({
    title: 'lead waits for you',
    body: 'Proceed?\nsignalbox attach lead',
  });
  expect(describeInLine([cause('lead', 'question')])).toBe('lead waits for you: Proceed?');
});

test('rule 48: many are counted, and the first five are named', () => {
  const asking = Array.from({ length: 50 }, (_, i) => cause(`a${i}`, 'question'));
  const all = [...asking, cause('bad', 'failed'), cause('b', 'unread'), cause('c', 'unread')];
  const { title, body } = describeCauses(all);
  expect(title).toBe('50 agents wait for you, bad failed, 2 messages for you');
  expect(body.split('\n')).toEqual([
    ...['a0: Proceed?', 'a1: Proceed?', 'a2: Proceed?', 'a3: Proceed?', 'a4: Proceed?'],
    'and 48 more: signalbox attention',
  ]);
  expect(describeInLine(all)).toBe(title);
});

test('rule 47: words of others are one short line and act on nothing', () => {
  const hostile = cause('x', 'question', `a\u001b]0;owned\u0007\nb\u202e${'long '.repeat(100)}`);
  const [first = ''] = describeCauses([hostile]).body.split('\n');
  expect(first).toMatch(/^a<U\+001B>\]0;owned<U\+0007><U\+000A>b<U\+202E>long .*…$/);
  expect([...first].length).toBeLessThanOrEqual(120);
});
