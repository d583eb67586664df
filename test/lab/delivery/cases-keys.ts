import { waitUntil } from '../../support/wait-until.ts';
import { type Check, must } from '../life/check.ts';
import { type Life, patienceMs } from '../life/life.ts';
import type { LoggedRequest } from '../mock-llm/request-log.ts';
import { pause, settles } from './cases-usual.ts';
import { createWord, type Letter, Post } from './post.ts';
import { SeatedPerson } from './seated-person.ts';
import { traits } from './traits.ts';

/** Rounds, and how much later the person's keys begin in each, over 0 to 500 ms. */
const rounds = Number(process.env['SIGNALBOX_LAB_ROUNDS'] ?? 10);
const latestMs = 500;
const keyMs = 30;
/** A person who has paused for so long disturbs nobody (rule 24). */
const quietMs = 3500;

/** What became of one message and of the words that a person typed beside it. */
interface Round {
  /** Both in one prompt, though the person never pressed Enter. */
  readonly isMixedByUs: boolean;
  /** Both in one prompt, by the person's own Enter. */
  readonly isMixedByPerson: boolean;
  /** The person had been told by then that a message stands in the composer. */
  readonly isTold: boolean;
}

/**
 * Rules 12 and 24: a person begins to type 0 to 500 ms after a send. In every second round they
 * press Enter as well, and what stands in the composer then is theirs to send.
 */
export const keysAfterSend: Check = {
  name: 'keys-after-send',
  promise: 'rules 12, 24: keys that begin 0 to 500 ms after a send are never sent by us',
  isLong: true,
  run: async (life) => {
    const person = await SeatedPerson.sit(life);
    const done: Round[] = [];
    try {
      for (let n = 0; n < rounds; n++) {
        const afterMs = (latestMs * n) / Math.max(1, rounds - 1);
        const round = await play(life, person, afterMs, n % 2 === 1);
        done.push(round);
        process.stderr.write(`  ${Math.round(afterMs)} ms: ${JSON.stringify(round)}\n`);
      }
    } finally {
      await person.leaves();
    }
    const count = (isSo: (round: Round) => boolean): number => done.filter(isSo).length;
    const mixed = count(({ isMixedByUs }) => isMixedByUs);
    must(mixed === 0, `${mixed} of ${rounds} were sent by us with what the person typed`);
    const untold = count(({ isMixedByPerson, isTold }) => isMixedByPerson && !isTold);
    must(untold === 0, `${untold} of ${rounds} were sent by a person who was not told`);
    return { rounds, 'mixed-by-person': count(({ isMixedByPerson }) => isMixedByPerson) };
  },
};

async function play(
  life: Life,
  person: SeatedPerson,
  afterMs: number,
  isEntered: boolean,
): Promise<Round> {
  const post = new Post(life);
  await life.empty();
  await settles(life);
  await pause(quietMs);
  const typed = createWord().replace('letter', 'typed');
  const letter = await post.send();
  await pause(afterMs);
  for (const key of `${typed} `) {
    await person.types(key);
    await pause(keyMs);
  }
  await pause(500);
  const isTold = /message stands in the composer/.test(await person.screen());
  if (isEntered) await person.presses('Enter');
  await pause(2500);
  const isMixed = life.mock.requests.some((request) => holdsBoth(request, letter, typed));
  await clear(life, post, letter);
  return {
    isMixedByUs: isMixed && !isEntered,
    isMixedByPerson: isMixed && isEntered,
    isTold:
      isTold ||
      (await post.explain(letter.id)).history.some(({ cause }) =>
        /a person typed into/.test(cause),
      ),
  };
}

/** In one prompt: a part of what was typed is enough. */
function holdsBoth({ lastUserText }: LoggedRequest, { word }: Letter, typed: string): boolean {
  return lastUserText.includes(word) && lastUserText.includes(typed.slice(0, 7));
}

/** The person throws away what stands there, and the message comes in after all. */
async function clear(life: Life, post: Post, letter: Letter): Promise<void> {
  const isSeen = async (): Promise<boolean> => {
    if (post.requestsWith(letter).length > 0) return true;
    if (life.current?.composer === 'draft')
      await life.hands.press(traits[life.lab.name].emptyAllKeys);
    await pause(1500);
    return false;
  };
  await waitUntil(`${letter.id} read after all`, isSeen, 2 * patienceMs);
}
