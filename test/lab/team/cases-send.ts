import type { SendResult } from '../../../src/protocol/messages.ts';
import { createWord } from '../delivery/post.ts';
import { must } from '../life/check.ts';
import { type Team, worker } from './team.ts';
import { call, hold, say, type TeamCase } from './team-case.ts';

export const sendCases: readonly TeamCase[] = [
  {
    name: 'send-idle',
    promise: 'a message of one agent wakes another that is idle',
    run: async (team) => {
      await team.readyWorker();
      await team.settles();
      const { word, said } = await sends(team);
      const heard = await receives(team, word);
      await team.settles();
      isOnce(team, word);
      const [asked] = team.turnsOf(said);
      return { answer: heard - (asked?.endedAt ?? 0) };
    },
  },
  {
    name: 'send-busy',
    promise: 'a message of one agent reaches another that is busy at its next safe point',
    isShort: true,
    run: async (team) => {
      await team.readyWorker();
      await team.settles();
      const busy = hold();
      const work = team.teach(busy.step, say('I was busy.'));
      await team.life.box.ask<SendResult>(['send', worker, `Work. ${work}`]);
      await team.begins(work);
      const { word, said } = await sends(team);
      // It is on disk when the call returns: the sender's model has got the result.
      await team.sees(
        'the result of the call',
        ({ callsSince, lastUserText }) => callsSince === 1 && lastUserText.includes(said),
      );
      busy.release();
      const heard = await receives(team, word);
      const [running] = team.turnsOf(work);
      must(running?.outcome === 'finished', `the running answer: ${running?.outcome}`);
      must(heard >= (running?.endedAt ?? 0), 'it interrupted the running answer');
      await team.settles();
      isOnce(team, word);
      return { answer: heard - (running?.endedAt ?? 0) };
    },
  },
];

/** The supervisor's model sends a word that the other's was never told. */
async function sends(team: Team): Promise<{ readonly word: string; readonly said: string }> {
  const word = createWord();
  const said = await team.tell(
    call('send_message', { to: worker, body: `The word is ${word}. @@say I have it.` }),
    say('It is sent.'),
  );
  return { word, said };
}

/**
 * When the receiver's model had it as words said to it: the sender's has it in its own call only.
 */
async function receives(team: Team, word: string): Promise<number> {
  const { at } = await team.sees(`${word} at the receiver`, ({ lastUserText }) =>
    lastUserText.includes(word),
  );
  return at;
}

function isOnce(team: Team, word: string): void {
  team.isOnce(team.turnsOf(word).at(-1), word);
}
