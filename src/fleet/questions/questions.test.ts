import { expect, test } from 'vitest';
import { ManualClock } from '../../../test/fakes/manual-clock.ts';
import type { ShownQuestion } from '../../agents/question.ts';
import type { CliQuestion, QuestionChannel } from '../../providers/questions.ts';
import { nameQuestion } from './question-id.ts';
import { Questions, withQuestions } from './questions.ts';

const asker = { agent: 'agt_1', epoch: 1 };
const question: CliQuestion = {
  ...{ key: '7', asks: 'command', text: 'tool: Bash\ncommand: make' },
  decisions: ['allow', 'deny'],
};

function openWith(open: readonly CliQuestion[], isBlind = false) {
  const decided: string[] = [];
  const channel: QuestionChannel = {
    ...{ open, isBlind },
    decide: async (key, decision) => {
      decided.push(`${key} ${decision}`);
      return { outcome: 'taken' };
    },
    close: () => void decided.push('closed'),
  };
  const questions = new Questions({
    ...{ clock: new ManualClock(), startOf: () => undefined, parentOf: () => 0, track: undefined },
    ...{ changed: () => undefined, asker, isFoundAgain: false, channel, read: undefined },
    watchers: async () => 0,
  });
  return { questions, decided };
}

const never = new AbortController().signal;

test('rule 54: a decision goes to exactly the question that was shown', async () => {
  const { questions, decided } = openWith([question, { ...question, key: '8', text: 'other' }]);
  const [first] = questions.now.questions;
  expect(first).toEqual({
    ...{ id: nameQuestion(asker, question), asks: 'command', text: question.text },
    decisions: ['allow', 'deny'],
  });
  expect(await questions.decide(first?.id ?? '', 'deny', never)).toEqual({ outcome: 'taken' });
  expect(decided).toEqual(['7 deny']);
});

test.each([
  ['its text', { ...question, text: `${question.text} all` }],
  ['the request', { ...question, key: '8' }],
])('rule 54: where %s is another, its name is another, and the old one is gone', async (_, now) => {
  const { questions, decided } = openWith([now]);
  const old = nameQuestion(asker, question);
  expect(await questions.decide(old, 'allow', never)).toEqual({ outcome: 'gone' });
  expect(decided).toEqual([]);
});

/** Two whose short names are the same; whoever writes the words finds such a pair in seconds. */
const mild: CliQuestion = { ...question, text: 'tool: Bash\ncommand: make #8210' };
const wild: CliQuestion = { ...question, key: '8', text: 'tool: Bash\ncommand: rm -rf ~ #13295' };

test('rule 54: a question whose short name was given to another gets a longer one', async () => {
  expect(nameQuestion(asker, wild)).toBe(nameQuestion(asker, mild));
  const open = [mild];
  const { questions, decided } = openWith(open);
  const shown = questions.now.questions[0]?.id ?? '';
  open.splice(0, 1, wild);
  expect(await questions.decide(shown, 'allow', never)).toEqual({ outcome: 'gone' });
  expect(decided).toEqual([]);
  const other = questions.now.questions[0]?.id ?? '';
  expect(other).toMatch(/^q[a-z]{7}$/);
  expect(other.startsWith(shown)).toBe(true);
  expect(await questions.decide(other, 'deny', never)).toEqual({ outcome: 'taken' });
  // It may be asked again as it was, and is found by its own name.
  open.splice(0, 1, { ...mild });
  expect(questions.now.questions[0]?.id).toBe(shown);
});

test('the name of a question is made once, however often it is looked at', () => {
  let reads = 0;
  const counted = {
    ...question,
    get text() {
      reads++;
      return question.text;
    },
  };
  const { questions } = openWith([counted]);
  const id = questions.now.questions[0]?.id;
  const first = reads;
  for (let i = 0; i < 100; i++) expect(questions.now.questions[0]?.id).toBe(id);
  // Once for the text that is shown, and none for its name.
  expect(reads - first).toBe(100);
});

test('the same question of another life has another name', () => {
  const names = [asker, { ...asker, epoch: 2 }, { ...asker, agent: 'agt_2' }].map((one) =>
    nameQuestion(one, question),
  );
  expect(new Set(names).size).toBe(3);
  for (const name of names) expect(name).toMatch(/^q[a-z]{6}$/);
});

test('rule 41: while a channel cannot be asked, a question that it does not list is not gone', async () => {
  const { questions } = openWith([], true);
  expect(await questions.decide('qaaaaaa', 'allow', never)).toMatchObject({ outcome: 'refused' });
});

test('what a CLI does not take here is refused', async () => {
  const { questions, decided } = openWith([{ ...question, decisions: ['deny'] }]);
  const id = nameQuestion(asker, question);
  expect(await questions.decide(id, 'allow', never)).toMatchObject({ outcome: 'refused' });
  expect(decided).toEqual([]);
});

test('a view has the first question in one line, and all of them, bounded', () => {
  const view = { status: 'waiting', source: 'state', since: 0, composer: 'hidden' } as const;
  const shown: ShownQuestion = {
    ...{ id: 'qaaaaaa', asks: 'tool', text: `a\n  b\n${'😀'.repeat(2000)}` },
    decisions: ['deny'],
  };
  const seen = withQuestions({ ...view, question: 'as drawn' }, { questions: [shown] });
  expect(seen.question).toMatch(/^a · b · 😀+…$/u);
  expect(seen.question?.length).toBeLessThanOrEqual(301);
  expect(seen.questions).toMatchObject([{ id: 'qaaaaaa', isCut: true }]);
  expect(seen.questions?.[0]?.text.length).toBeLessThanOrEqual(2000);
  expect(withQuestions(view, { questions: [] })).toBe(view);
});

test('rule 38: at rest nothing of the conversation is asked; a sub-agent may go on asking', () => {
  const { questions } = openWith([question, { ...question, key: '8', isSubAgents: true }]);
  questions.rests(true);
  expect(questions.now.questions.map(({ isSubAgents }) => isSubAgents)).toEqual([true]);
  questions.rests(false);
  expect(questions.now.questions).toHaveLength(2);
});
