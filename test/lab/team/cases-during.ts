import type { SendResult } from '../../../src/protocol/messages.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { createWord } from '../delivery/post.ts';
import { patienceMs } from '../life/life.ts';
import { assigns } from './cases-daemon.ts';
import { areAnswered } from './judge-answers.ts';
import { second, type Team, worker } from './team.ts';
import { call, hold, say, type TeamCase } from './team-case.ts';

/** What comes to a worker while it works at a task: none of it takes the task's answer away. */
export const duringCases: readonly TeamCase[] = [
  {
    name: 'two-givers',
    promise:
      'rule 27: two supervisors give one worker a task at once; each gets the answer to its own',
    run: async (team) => {
      await team.readyWorker();
      const hands = await team.readySecond();
      await team.settles();
      const [here, there] = [createWord(), createWord()];
      const both = hold();
      const [first, other] = [here, there].map((word) =>
        team.teachTask(both.step, say(`The answer is ${word}.`)),
      );
      const together = hold();
      const assign = (work = '') => call('assign', { profile: worker, task: `Find it. ${work}` });
      const said = await team.tell(together.step, assign(first), say('I wait.'));
      const saidToo = await team.tellAt(hands, together.step, assign(other), say('I wait, too.'));
      together.release();
      const isThere = async (): Promise<boolean> =>
        (await team.inbox(worker)).filter(({ body }) =>
          [first, other].some((work = '') => body.includes(work)),
        ).length === 2;
      await waitUntil(
        'both tasks',
        async () => {
          await team.dialogs.attend();
          return await isThere();
        },
        patienceMs,
      );
      await team.sees('one of them at the worker’s model', ({ lastUserText }) =>
        [first, other].some((work = '') => lastUserText.includes(work)),
      );
      both.release();
      await team.learns(said, here);
      const heard = await team.learns(saidToo, there);
      await team.settles();
      await areAnswered(team, [
        { giver: 'lab', said, work: first ?? '', word: here },
        { giver: second, said: saidToo, work: other ?? '', word: there },
      ]);
      await team.remove(second);
      return { answer: heard.at - lastEnd(team, other ?? '') };
    },
  },
  {
    name: 'message-during',
    promise: 'a plain message during a task is read, and does not become the answer',
    run: async (team) => {
      const { other, task } = await beside(team, async (words) => {
        await team.life.box.ask<SendResult>(['send', worker, words]);
      });
      return { answer: other.at - lastEnd(team, task.work) };
    },
  },
  {
    name: 'prompt-during',
    promise: 'a person’s prompt during a task is answered, and does not become the answer',
    run: async (team) => {
      const { other, task } = await beside(team, async (words) => {
        await (await team.handsOf(worker)).submit(words);
      });
      return { answer: other.at - lastEnd(team, task.work) };
    },
  },
];

/**
 * Something else is said to the worker while its model holds the task; both are answered, the task
 * by its own words alone.
 */
async function beside(team: Team, says: (words: string) => Promise<void>) {
  await team.readyWorker();
  await team.settles();
  const task = await assigns(team);
  const word = createWord();
  const work = team.teach(say(`That is ${word}.`));
  await says(`Another thing. ${work}`);
  task.release();
  const other = await team.begins(work);
  await team.learns(task.said, task.word);
  await team.settles();
  await areAnswered(team, [task], [{ work, word }]);
  return { other, task };
}

function lastEnd(team: Team, work: string): number {
  return team.turnsOf(work).findLast(({ outcome }) => outcome === 'finished')?.endedAt ?? 0;
}
