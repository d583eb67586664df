import { expect, onTestFinished, test } from 'vitest';
import type { Client } from '../client/client.ts';
import { type CaughtBug, keepBugs } from '../shared/report-bug.ts';
import { tellQuestionsDuring } from './tell-questions.ts';

test('rule 48: a mistake of ours in what is told meanwhile keeps nobody from the answer', async () => {
  const bugs: CaughtBug[] = [];
  onTestFinished(keepBugs((bug) => bugs.push(bug)));
  const fail = async (): Promise<never> => {
    throw new TypeError('agents is not iterable');
  };
  const client = { listAgents: fail } as unknown as Client;
  let answer: (text: string) => void = () => undefined;
  const work = new Promise<string>((done) => {
    answer = done;
  });
  const waiting = { agent: 'agt_a', what: 'waiting', goesOn: () => '', json: true };
  const told = tellQuestionsDuring(client, waiting, work);
  // Long enough for an error that is nobody's to end the process.
  for (let turn = 0; turn < 10; turn++) await new Promise((done) => setImmediate(done));
  answer('42');
  expect(await told).toBe('42');
  expect(bugs).toMatchObject([{ place: 'telling what an agent asks' }]);
});
