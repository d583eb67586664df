import { expect, test } from 'vitest';
import type { AgentView } from '../protocol/agents.ts';
import { listBelow, QuestionNews } from './question-news.ts';

const inbox = { queued: 0, claimed: 0, injected: 0, uncertain: 0, dead: 0 };

function asking(question?: string, since = '1'): AgentView {
  return {
    ...{ id: 'agt_1', name: 'lead', session: 's', provider: 'p', backend: 'tmux', epoch: 1 },
    ...{ status: 'waiting', detail: 'permission', source: 'state', since, cwd: '/', inbox },
    ...(question === undefined ? {} : { question }),
  };
}

test('rule 48: a question is told once, and not again when it goes from the screen', () => {
  const questions = new QuestionNews();
  expect(questions.take([asking()])).toEqual({ news: [], isUnread: true });
  expect(questions.take([asking('Proceed?')]).news).toHaveLength(1);
  expect(questions.take([asking('Proceed?')])).toEqual({ news: [], isUnread: false });
  expect(questions.take([asking()])).toEqual({ news: [], isUnread: false });
  expect(questions.take([asking('And this?')]).news).toHaveLength(1);
  expect(questions.take([asking('And this?', '2')]).news).toHaveLength(1);
});

test('rule 48: a question that cannot be read is told at the second look', () => {
  const questions = new QuestionNews();
  expect(questions.take([asking()]).news).toEqual([]);
  expect(questions.take([asking()]).news).toHaveLength(1);
  expect(questions.take([{ ...asking(undefined, '3'), detail: 'trust' }]).news).toHaveLength(1);
});

test('whoever waits for an agent waits for all below it', () => {
  const one = (id: string, parent?: string): AgentView => ({
    ...asking(),
    id,
    ...(parent === undefined ? {} : { parent: { id: parent, name: parent } }),
  });
  const agents = [one('c', 'b'), one('b', 'a'), one('a', 'root'), one('x')];
  expect(listBelow(agents, 'a').map(({ id }) => id)).toEqual(['c', 'b', 'a']);
});
