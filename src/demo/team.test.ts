import { expect, test } from 'vitest';
import { answer, lead, team, writeJob } from './team.ts';

test('rule 33: an agent that gets a message again writes the same answers, each to another than itself', () => {
  for (let n = 1; n <= 24; n++) {
    const job = writeJob(n);
    const first = answer(job.to, lead, job.text);
    expect(answer(job.to, lead, job.text)).toEqual(first);
    for (const letter of first) {
      expect(team).toContain(letter.to);
      expect(letter.to).not.toBe(job.to);
    }
  }
});

test('every job is answered, and the answers to the answers come to an end', () => {
  for (let n = 1; n <= 24; n++) {
    const job = { from: lead, ...writeJob(n) };
    const written = [job];
    for (const { from, to, text } of written) {
      for (const letter of answer(to, from, text)) written.push({ from: to, ...letter });
      expect(written.length).toBeLessThan(10);
    }
    expect(written).toContainEqual({ from: job.to, to: lead, text: `done ${n}` });
    const keys = written.map(({ from, text }) => `${from} ${text}`);
    expect(new Set(keys).size).toBe(keys.length);
  }
});
