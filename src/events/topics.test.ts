import { expect, test } from 'vitest';
import { matchTopics, topicOf } from './topics.ts';

test('E1: a topic names what happened to whom', () => {
  const life = { name: 'worker', session: 'default', epoch: 1 };
  expect(topicOf({ kind: 'output', agent: 'agt_1', data: { bytes: 3 } })).toBe(
    'terminal.agt_1.output',
  );
  expect(topicOf({ kind: 'launched', agent: 'agt_1', data: life })).toBe('agent.agt_1.launched');
  const data = { state: 'dead', from: 'agt_1', to: 'agt_2' } as const;
  expect(topicOf({ kind: 'message', message: 'msg_1', data })).toBe('message.msg_1.dead');
});

test('E1: patterns match word by word, and * is exactly one word', () => {
  const matches = (pattern: string, topic: string) => matchTopics([pattern])(topic);
  expect(matches('agent.agt_1.status', 'agent.agt_1.status')).toBe(true);
  expect(matches('agent.agt_1.status', 'agent.agt_10.status')).toBe(false);
  expect(matches('agent.*.status', 'agent.agt_1.status')).toBe(true);
  expect(matches('agent.*.status', 'agent.agt_1.exited')).toBe(false);
  expect(matches('*.*.*', 'message.msg_1.dead')).toBe(true);
  expect(matchTopics(['agent.*.exited', 'message.*.dead'])('message.m.dead')).toBe(true);
});

test('no pattern means everything but output', () => {
  expect(matchTopics([])('agent.agt_1.status')).toBe(true);
  expect(matchTopics([])('terminal.agt_1.output')).toBe(false);
});

test('what is no pattern is refused with an example', () => {
  for (const pattern of ['', 'agent', 'agent.*', 'a.b.c.d', 'agent.agt*.status', 'a. .c', '...']) {
    expect(() => matchTopics([pattern]), pattern).toThrow(
      expect.objectContaining({
        code: 'invalid-input',
        next: expect.stringContaining('agent.*.status'),
      }),
    );
  }
});
