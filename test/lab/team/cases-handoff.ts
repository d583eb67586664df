import { createWord } from '../delivery/post.ts';
import { must } from '../life/check.ts';
import { profile, type Team, worker } from './team.ts';
import { call, hold, say, type TeamCase } from './team-case.ts';

export const handoffCases: readonly TeamCase[] = [
  {
    name: 'handoff-simple',
    promise: 'a worker is launched by the call, and its answer is the result of that call',
    isShort: true,
    run: async (team) => {
      await team.remove(worker);
      // The cases behind it work with it.
      return await handsOff(team, { profile: team.cli, name: worker, keep: true });
    },
  },
  {
    name: 'handoff-second',
    promise: 'the same worker takes a second task, and the call returns the answer to that one',
    run: async (team) => {
      await team.readyWorker();
      return await handsOff(team, { profile: worker });
    },
  },
];

export const superviseCases: readonly TeamCase[] = [
  {
    name: 'supervise-handoff',
    promise: 'a supervisor looks who is there, launches by a profile, and is answered',
    run: async (team) => {
      team.writeProfile();
      await team.remove(helper);
      const word = createWord();
      const work = team.teach(say(`The answer is ${word}.`));
      const said = await team.tell(
        call('list_agents', {}),
        call('handoff', { profile, name: helper, task: `Find the answer. ${work}` }),
        say('That is all.'),
      );
      const heard = await team.learns(said, word);
      must(team.placeOf(heard, word) === 'result', 'it did not come as the result of the call');
      const listed = team.turnsOf(said).find(({ callsSince }) => callsSince === 1);
      must(/\(you\)|isYou/.test(listed?.body ?? ''), 'the list does not say who is asking');
      const [got] = team.turnsOf(work);
      must(got?.body.includes(team.profileWord) === true, 'the worker has no profile');
      const { parent, profile: launchedBy } = (await team.find(helper)) ?? {};
      must(parent?.name === 'lab', `its parent is ${parent?.name}`);
      must(launchedBy === profile, `its profile is ${launchedBy}`);
      await team.settles();
      team.isOnce(team.latest(said), word);
      await team.remove(helper);
      return { answer: heard.at - (got?.endedAt ?? 0) };
    },
  },
  {
    name: 'supervise-assign-handoff',
    promise:
      'a task is assigned and another handed off in one turn; both answers arrive, once each',
    run: async (team) => {
      team.writeProfile();
      await team.readyWorker();
      await team.remove(helper);
      const [assigned, handedOff] = [createWord(), createWord()];
      const both = hold();
      const slow = team.teach(both.step, say(`The long answer is ${assigned}.`));
      const quick = team.teach(say(`The short answer is ${handedOff}.`));
      const said = await team.tell(
        call('assign', { profile, name: helper, task: `Take your time. ${slow}` }),
        call('handoff', { profile: worker, task: `Be quick. ${quick}` }),
        say('I have one of them.'),
      );
      await team.begins(quick);
      await team.begins(slow);
      both.release();
      const short = await team.learns(said, handedOff);
      must(team.placeOf(short, handedOff) === 'result', 'the handoff did not return its answer');
      const long = await team.learns(said, assigned);
      must(
        team.placeOf(long, assigned) === 'user',
        'the assigned answer did not come as a message',
      );
      await team.settles();
      team.isOnce(team.latest(said), assigned);
      team.isOnce(team.latest(said), handedOff);
      await team.remove(helper);
      return { answer: short.at - (team.turnsOf(quick)[0]?.endedAt ?? 0) };
    },
  },
];

/** Launched for one case. */
const helper = 'helper';

async function handsOff(
  team: Team,
  to: { readonly profile: string; readonly name?: string; readonly keep?: true },
): Promise<{ readonly answer: number }> {
  const word = createWord();
  const work = team.teach(say(`The answer is ${word}.`));
  const task = `Find the answer. ${work}`;
  const said = await team.tell(call('handoff', { ...to, task }), say('Thank you.'));
  const heard = await team.learns(said, word);
  must(team.placeOf(heard, word) === 'result', 'it did not come as the result of the call');
  const [got] = team.turnsOf(work);
  must(got !== undefined && got.at < heard.at, 'the worker was not asked first');
  await team.settles();
  team.isOnce(team.latest(said), word);
  return { answer: heard.at - (got?.endedAt ?? 0) };
}
