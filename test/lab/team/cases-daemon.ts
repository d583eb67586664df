import { setTimeout as delay } from 'node:timers/promises';
import { waitUntil } from '../../support/wait-until.ts';
import { createWord } from '../delivery/post.ts';
import type { Measured } from '../life/check.ts';
import { type Life, patienceMs } from '../life/life.ts';
import { type Asked, areAnswered } from './judge-answers.ts';
import { type Team, worker } from './team.ts';
import { call, hold, say, type TeamCase } from './team-case.ts';

/** So long the hooks of a turn that ended without a daemon have for what they write down. */
const hooksMs = 2000;

/**
 * A daemon that goes away while a worker works, and comes back before or after the end of the turn.
 */
export const daemonCases: readonly TeamCase[] = [
  restarted('down-up', 'the daemon is stopped and started', ({ box }) => box.down()),
  restarted('kill-daemon', 'the daemon is killed with -9 and started', ({ box }) =>
    box.killDaemon(),
  ),
];

function restarted(name: string, what: string, end: (life: Life) => Promise<void>): TeamCase {
  return {
    name,
    promise: `rules 26 and 30: ${what} while the worker works, and once more while its turn ends; each answer comes once`,
    run: async (team) => {
      await team.readyWorker();
      await team.settles();
      // Its last words must not come again, least of all as the answer to the next task.
      const before = await assigns(team);
      before.release();
      await team.learns(before.said, before.word);
      await team.settles();
      const during = await assigns(team);
      await end(team.life);
      await team.life.box.up();
      during.release();
      await team.learns(during.said, during.word);
      await team.settles();
      const away = await assigns(team);
      await end(team.life);
      away.release();
      const isEnded = (): boolean =>
        team.turnsOf(away.work).some(({ outcome }) => outcome === 'finished');
      await waitUntil('the end of the turn', isEnded, patienceMs);
      await delay(hooksMs);
      const upAt = Date.now();
      await team.life.box.up();
      const heard = await team.learns(away.said, away.word);
      await team.settles();
      await areAnswered(team, [before, during, away]);
      return { answer: heard.at - upAt } satisfies Measured;
    },
  };
}

/**
 * A task that the supervisor has given and rests after, and that the worker's model holds until it
 * is let.
 */
export async function assigns(team: Team): Promise<Asked & { release(): void }> {
  const word = createWord();
  const resting = hold();
  const work = team.teachTask(resting.step, say(`The answer is ${word}.`));
  const task = `Find the answer. ${work}`;
  const said = await team.tell(call('assign', { profile: worker, task }), say('I wait.'));
  await team.begins(work);
  await team.rests('lab');
  return { giver: 'lab', said, work, word, release: resting.release };
}
