import { waitUntil } from '../../support/wait-until.ts';
import { createWord } from '../delivery/post.ts';
import { must } from '../life/check.ts';
import { reported, worker } from './team.ts';
import { call, hold, say, type TeamCase } from './team-case.ts';

export const assignCases: readonly TeamCase[] = [
  {
    name: 'assign-analyst',
    promise: 'a worker is launched for it; its answer wakes the supervisor, which has gone idle',
    run: async (team) => {
      await team.remove(analyst);
      const word = createWord();
      const resting = hold();
      const work = team.teach(resting.step, say(`The mean is 42, says ${word}.`));
      const said = await team.tell(
        call('assign', { profile: team.cli, name: analyst, task: `Analyse 41 and 43. ${work}` }),
        say('It is under way.'),
      );
      await team.begins(work);
      await team.rests('lab');
      resting.release();
      const heard = await team.learns(said, word);
      must(team.placeOf(heard, word) === 'user', 'it did not come as a message');
      await team.settles();
      team.isOnce(team.latest(said), word);
      const [got] = team.turnsOf(work);
      await team.remove(analyst);
      return { answer: heard.at - (got?.endedAt ?? 0) };
    },
  },
  {
    name: 'assign-report',
    promise: 'a long report comes whole, at the next safe point of a supervisor that is busy',
    run: async (team) => {
      await team.readyWorker();
      const word = createWord();
      const busy = hold();
      const lines = Array.from(
        { length: 80 },
        (_, i) => `- finding ${i + 1}: nothing unusual was found`,
      );
      const work = team.teach(say(`# Report\n\n${lines.join('\n')}\n\nSigned: ${word}`));
      const said = await team.tell(
        call('assign', { profile: worker, task: `Write the report. ${work}` }),
        busy.step,
        say('I was busy.'),
      );
      await team.begins(work);
      const isSettled = async (): Promise<boolean> => (await team.find(worker))?.owes === undefined;
      await waitUntil('the end of the debt', isSettled, 60_000).catch(() => undefined);
      busy.release();
      const heard = await team.learns(said, word);
      must(heard.body.includes('finding 1:') && heard.body.includes('finding 80:'), 'it is cut');
      await team.settles();
      team.isOnce(team.latest(said), word);
      const running = team.turnsOf(said).find(({ callsSince }) => callsSince === 1);
      must(running?.outcome === 'finished', `the running answer: ${running?.outcome}`);
      return { answer: heard.at - (running?.endedAt ?? 0) };
    },
  },
  {
    name: 'assign-callback',
    promise: 'the worker answers by a message of its own; the end of its turn wakes nobody again',
    run: async (team) => {
      await team.readyWorker();
      const word = createWord();
      const resting = hold();
      // Which task it answers is known once it was given.
      const callback = {
        ...({ do: 'mcp', server: 'signalbox', tool: 'send_message' } as const),
        json: '{}',
      };
      const work = team.teach(resting.step, callback, say(reported));
      const said = await team.tell(
        call('assign', { profile: worker, task: `Call back when done. ${work}` }),
        say('I wait for the call.'),
      );
      await team.begins(work);
      await team.rests('lab');
      const [debt] = (await team.find(worker))?.owes ?? [];
      callback.json = JSON.stringify({ body: `It is done: ${word}.`, reply_to: debt?.task });
      resting.release();
      const heard = await team.learns(said, word);
      must(team.placeOf(heard, word) === 'user', 'it did not come as a message');
      await team.settles();
      team.isOnce(team.latest(said), word);
      const woken = team.life.mock.requests.filter(
        ({ n, isSide, body }) => n > heard.n && !isSide && body.includes(said),
      );
      must(woken.length === 0, `${woken.length} more requests followed the answer`);
      const [asked] = team.turnsOf(work);
      return { answer: heard.at - (asked?.endedAt ?? 0) };
    },
  },
];

/** Launched for one case. */
const analyst = 'analyst';
