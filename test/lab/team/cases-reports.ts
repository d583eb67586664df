import { createWord } from '../delivery/post.ts';
import { must } from '../life/check.ts';
import { worker } from './team.ts';
import { call, hold, say, type TeamCase } from './team-case.ts';

/** Workers that report by messages and end with a last word that says nothing. */
export const reportCases: readonly TeamCase[] = [
  {
    name: 'handoff-reports',
    promise:
      'what a worker sends before its last words stands in the result of the call, and comes once',
    run: async (team) => {
      await team.readyWorker();
      const word = createWord();
      const work = team.teach(
        call('send_message', { body: 'I have started.' }),
        call('send_message', { body: `The answer is ${word}.` }),
        say('Done.'),
      );
      const said = await team.tell(
        call('handoff', { profile: worker, task: `Report what you find. ${work}` }),
        say('I have read it.'),
      );
      const heard = await team.learns(said, word);
      must(team.placeOf(heard, word) === 'result', 'it did not come as the result of the call');
      must(heard.body.includes('I have started.'), 'the first report is missing');
      must(heard.body.indexOf(word) < heard.body.lastIndexOf('Done.'), 'the last words come first');
      await team.settles();
      team.isOnce(team.latest(said), word);
      const [got] = team.turnsOf(work);
      return { answer: heard.at - (got?.endedAt ?? 0) };
    },
  },
  {
    name: 'assign-reports',
    promise: 'a report settles nothing and comes as a message; the completion names it',
    run: async (team) => {
      await team.readyWorker();
      const word = createWord();
      const resting = hold();
      const work = team.teach(
        call('send_message', { body: `The answer is ${word}.` }),
        resting.step,
        say('Done.'),
      );
      const said = await team.tell(
        call('assign', { profile: worker, task: `Report what you find. ${work}` }),
        say('I wait for it.'),
      );
      const heard = await team.learns(said, word);
      must(team.placeOf(heard, word) === 'user', 'it did not come as a message');
      must((await team.find(worker))?.owes?.length === 1, 'the report has settled the task');
      resting.release();
      await team.learns(said, 'it sent you before this: msg_');
      await team.settles();
      team.isOnce(team.latest(said), word);
      const [got] = team.turnsOf(work);
      return { answer: heard.at - (got?.endedAt ?? 0) };
    },
  },
];
