import { waitUntil } from '../../support/wait-until.ts';
import { createWord } from '../delivery/post.ts';
import { must } from '../life/check.ts';
import { patienceMs } from '../life/life.ts';
import type { Team } from './team.ts';
import { call, say, type TeamCase } from './team-case.ts';

/** Launched by the case itself. */
const helper = 'helper';

export const comesBackCases: readonly TeamCase[] = [
  {
    name: 'handoff-comes-back',
    promise:
      'rule 55: a worker ends once its answer is read; a second task brings it back, with its conversation',
    run: async (team) => {
      await team.remove(helper);
      const first = await handsOff(team, team.cli);
      const ended = await ends(team, 1);
      const second = await handsOff(team, helper);
      const { conversation } = await ends(team, 2);
      must(conversation === ended.conversation, 'it came back in another conversation');
      const [turn] = team.turnsOf(second.work);
      must(turn?.body.includes(first.work) === true, 'it does not know its first task any more');
      team.isOnce(team.latest(second.said), second.word);
      await team.remove(helper);
      return { back: second.at - second.askedAt };
    },
  },
];

async function handsOff(team: Team, to: string) {
  const word = createWord();
  const work = team.teach(say(`The answer is ${word}.`));
  const name = to === helper ? {} : { name: helper };
  const askedAt = Date.now();
  const said = await team.tell(
    call('handoff', { profile: to, ...name, task: `Find the answer. ${work}` }),
    say('Thank you.'),
  );
  const { at } = await team.learns(said, word);
  return { word, work, said, at, askedAt };
}

async function ends(team: Team, epoch: number) {
  const find = async () => {
    await team.dialogs.attend();
    const agent = await team.find(helper);
    return agent?.endedBy === 'task' && agent.epoch === epoch ? agent : undefined;
  };
  return waitUntil('the end of the worker', find, patienceMs);
}
