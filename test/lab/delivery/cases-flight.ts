import { waitUntil } from '../../support/wait-until.ts';
import type { Check } from '../life/check.ts';
import { type Life, patienceMs } from '../life/life.ts';
import { holdsAccount } from './account.ts';
import { pause, settles } from './cases-usual.ts';
import { longAnswer, Person } from './person.ts';
import { createWord, Post } from './post.ts';
import { traits } from './traits.ts';

/**
 * A message in mid-flight and one behind it, a new conversation, a restart, and then an urgent one.
 * Claude Code 2.1.240 and 2.1.280, whose records name no request, got a second copy without a mark
 * that way.
 */
export const flightCases: readonly Check[] = [
  {
    name: 'flight-clear-restart',
    promise:
      'rule 50: a message whose answer has begun, `/clear`, a restart and an urgent message: no second copy without a mark',
    hasOwnAgent: true,
    run: (life) => restartsInFlight(life, 'stream'),
  },
  {
    name: 'silent-clear-restart',
    promise:
      'rule 50: the same with a model that has not said a word yet: no second copy without a mark, and nothing is lost',
    hasOwnAgent: true,
    run: (life) => restartsInFlight(life, 'hang'),
  },
];

async function restartsInFlight(life: Life, how: 'stream' | 'hang'): Promise<undefined> {
  const post = new Post(life);
  await new Person(life).opens();
  const script = createWord();
  life.mock.teach(script, [how === 'stream' ? longAnswer : { do: 'hang' }]);
  const letter = await post.send(`@@play ${script}`);
  await waitUntil('its request', () => post.requestsWith(letter)[0], patienceMs);
  if (how === 'stream') await life.hands.shows(/word20\b/, patienceMs);
  life.mock.teach(script, [{ do: 'say', text: 'read at last' }]);
  const behind = await post.send('@@say the one behind');
  // In the middle of its turn: a CLI obeys at once, queues the command or refuses it, and each of
  // them is a person's day.
  await life.hands.submit(traits[life.lab.name].clear).catch((error: unknown) => {
    // Refused: Gemini CLI 0.61.0 leaves it in the composer while its model has not said a word.
    if (!String(error).includes('Enter did not send')) throw error;
  });
  await pause(3000);
  const from = life.events.length;
  await life.restart();
  await life.isReady(from);
  const urgent = await post.send('@@say the urgent one', ['--urgent']);
  await holdsAccount(post, [urgent, letter, behind]);
  await settles(life);
  return undefined;
}
