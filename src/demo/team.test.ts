import { expect, test } from 'vitest';
import { answer, commandIn, lead, taskAnswered, taskSent, team, writeTask } from './team.ts';

test('rule 33: an agent that gets a message again writes the same answers, each to another than itself', () => {
  for (let n = 1; n <= 24; n++) {
    const task = writeTask(n);
    const first = answer(task.to, lead, task.text, false);
    expect(answer(task.to, lead, task.text, false)).toEqual(first);
    for (const letter of first) {
      expect(team).toContain(letter.to);
      expect(letter.to).not.toBe(task.to);
    }
  }
});

test('every task is answered, and the answers to the answers come to an end', () => {
  for (let n = 1; n <= 24; n++) {
    const task = { from: lead, ...writeTask(n) };
    const written = [task];
    for (const { from, to, text } of written) {
      for (const letter of answer(to, from, text, false)) written.push({ from: to, ...letter });
      expect(written.length).toBeLessThan(10);
    }
    const answers = written.filter(({ to, text }) => to === lead && taskAnswered(text) === n);
    expect(answers).toHaveLength(1);
    const keys = written.map(({ from, text }) => `${from} ${text}`);
    expect(new Set(keys).size).toBe(keys.length);
  }
});

test('a person is asked for something early on, and a refusal is an answer too', () => {
  const asking = [1, 2, 3].map(writeTask).find(({ text }) => commandIn(text) !== undefined);
  const [refused] = answer(asking?.to ?? '', lead, asking?.text ?? '', true);
  expect(refused?.text).toMatch(/^refused \d+: /);
  expect(taskAnswered(refused?.text ?? '')).toBe(taskSent(asking?.text ?? ''));
});
