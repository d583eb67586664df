import { randomBytes } from 'node:crypto';
import { waitUntil } from '../../support/wait-until.ts';
import { type Life, patienceMs } from '../life/life.ts';
import type { LoggedRequest } from '../mock-llm/request-log.ts';
import { pause, settles } from './cases-usual.ts';
import { type Letter, Post, tell } from './post.ts';
import type { SeatedPerson } from './seated-person.ts';
import { traits } from './traits.ts';

const latestMs = 500;
const keyMs = 30;
/** A person who has paused for so long disturbs nobody (rule 24). */
const quietMs = 3500;
/** The person's Enter, and the time in which the model gets what it sends. */
const enterMs = 500;
const afterEnterMs = 2500;

/** What became of one message of the user's and of the keys that a person pressed beside it. */
export interface KeysRound {
  /** Who sent a prompt that is not the message alone and whole; undefined: nobody did. */
  readonly mixedBy?: 'us' | 'person';
  /** The person's status line says, when they press Enter or could, whose text stands there. */
  readonly isTold: boolean;
  /** The message's history says that a person typed into it. */
  readonly isNoted: boolean;
  /** What the model got, where it was mixed. */
  readonly got?: string;
}

/** When the keys begin and whether Enter follows: two rounds each, over 0 to 500 ms. */
export interface KeysPlan {
  readonly afterMs: number;
  readonly isEntered: boolean;
}

export function planRound(n: number, rounds: number): KeysPlan {
  const last = Math.max(1, Math.ceil(rounds / 2) - 1);
  return { afterMs: (latestMs * Math.floor(n / 2)) / last, isEntered: n % 2 === 1 };
}

/**
 * The user sends a message; a person at the agent's terminal begins to type `afterMs` after that
 * command has ended, and presses Enter in the end, or does not.
 */
export async function playKeys(
  life: Life,
  person: SeatedPerson,
  { afterMs, isEntered }: KeysPlan,
): Promise<KeysRound> {
  const post = new Post(life);
  await life.empty();
  await settles(life);
  await pause(quietMs);
  const before = life.mock.requests.length;
  const letter = await post.sendAsUser(bodyOf('WORD'));
  await pause(afterMs);
  for (const key of createKeys()) {
    await person.types(key);
    await pause(keyMs);
  }
  await pause(enterMs);
  const isTold = /message stands in the composer/.test(await person.screen());
  const enteredAt = Date.now();
  if (isEntered) await person.presses('Enter');
  await pause(afterEnterMs);
  await throwAway(life, post, letter);
  const mixed = life.mock.requests.slice(before).find((request) => isMixed(request, letter));
  const { history } = await post.explain(letter.id);
  const isNoted = history.some(({ cause }) => /a person typed into/.test(cause));
  if (!mixed) return { isTold, isNoted };
  const isOurs = !isEntered || mixed.at < enteredAt;
  return { mixedBy: isOurs ? 'us' : 'person', isTold, isNoted, got: mixed.lastUserText };
}

/** Every second key is one that stands in no line of ours: a single key too many is found. */
function createKeys(): readonly string[] {
  return [...randomBytes(4).toString('hex')].flatMap((key) => ['%', key]);
}

function bodyOf(word: string): string {
  return `${word} is the whole message`;
}

/** The message stands in it, and something of the person's too, or a piece of it is missing. */
export function isMixed(
  { isSide, lastUserText }: Pick<LoggedRequest, 'isSide' | 'lastUserText'>,
  { word }: Letter,
): boolean {
  if (isSide || !lastUserText.includes(word.slice(1, -1))) return false;
  if (lastUserText.includes('%')) return true;
  // Claude Code 2.1.325 puts words of its own around what a hook says, which no composer has held.
  if (lastUserText.startsWith('[SYSTEM NOTIFICATION')) {
    return !lastUserText.split('\n').includes(bodyOf(word));
  }
  return !wholeTextOf(word).test(lastUserText.trim());
}

/** As the user's prompt, or in an envelope: what may be a repeat comes in one. */
function wholeTextOf(word: string): RegExp {
  const end = String.raw`(?:\n[^]*<\/signalbox \w+>)?`;
  return new RegExp(`^<signalbox [^\\n]*>\\n(?:[^]*\\n)?${bodyOf(word)}${end}$`);
}

const ended = ['seen', 'acked', 'dead'];

/**
 * The person throws away what stands there. The message comes in after all, or the ledger says that
 * the person has taken it back.
 */
async function throwAway(life: Life, post: Post, letter: Letter): Promise<void> {
  const isRead = async (): Promise<boolean> => {
    if (post.requestsWith(letter).length > 0) return true;
    if (ended.includes(await post.state(letter.id))) return true;
    if (life.current?.composer === 'draft')
      await life.hands.press(traits[life.lab.name].emptyAllKeys);
    await pause(1500);
    return false;
  };
  await waitUntil(`${letter.id} read or taken back`, isRead, 2 * patienceMs).catch(
    async (error) => {
      const { composer } = life.current ?? {};
      throw new Error(`${error}; composer ${composer}: ${tell(await post.explain(letter.id))}`);
    },
  );
}
