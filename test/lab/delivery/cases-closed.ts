import { waitUntil } from '../../support/wait-until.ts';
import { type Check, must } from '../life/check.ts';
import type { Life } from '../life/life.ts';
import { type FoundProcess, isAlive } from '../processes.ts';
import { settles } from './cases-usual.ts';
import { Post } from './post.ts';

/** From the end of the terminal until nothing of the agent runs any more. */
const endMs = 30_000;

/**
 * A person closes the terminal of an agent. Whatever the agent had beside it, such as Codex's
 * app-server, must end with it: an app-server without a terminal goes on reading what it is given,
 * and nobody sees it.
 */
export const closedCases: readonly Check[] = [
  {
    name: 'closed-pane',
    promise: 'a closed terminal ends all of its agent; what is sent then is read by its next life',
    run: async (life) => {
      const post = new Post(life);
      await post.isSeen(await post.send());
      await settles(life);
      const before = await everyProcess(life);
      await life.hands.close();
      const letter = await post.send();
      await life.hears('exited', ({ status }) => status === 'exited', life.events.length - 1);
      await allEnd(before);
      must(post.requestsWith(letter).length === 0, 'something read it after the terminal was gone');
      await life.restart();
      await post.isSeen(letter);
      await settles(life);
      return undefined;
    },
  },
  {
    name: 'closed-unwatched',
    promise: 'the same while no daemon runs, and its next start ends what was left',
    run: async (life) => {
      const post = new Post(life);
      const before = await everyProcess(life);
      await life.box.down();
      await life.hands.close();
      const letter = await post.send();
      await life.box.up();
      await allEnd(before);
      // Gemini CLI 0.61.0 may survive the hangup for a moment.
      await life.shows('exited', ({ status }) => status === 'exited');
      must(post.requestsWith(letter).length === 0, 'something read it after the terminal was gone');
      await life.restart();
      await post.isSeen(letter);
      await settles(life);
      return undefined;
    },
  },
];

async function everyProcess(life: Life): Promise<readonly FoundProcess[]> {
  return life.family(await life.rootProcess());
}

async function allEnd(processes: readonly FoundProcess[]): Promise<void> {
  const left = (): readonly FoundProcess[] => processes.filter(isAlive);
  await waitUntil('the end of all its processes', () => left().length === 0, endMs).catch(() => {
    const words = left().map(({ pid, command }) => `${command} (${pid})`);
    throw new Error(`it left behind: ${words.join(', ')}`);
  });
}
