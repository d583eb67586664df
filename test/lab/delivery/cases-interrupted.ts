import { waitUntil } from '../../support/wait-until.ts';
import type { Check, Measured } from '../life/check.ts';
import { must } from '../life/check.ts';
import { type Life, patienceMs } from '../life/life.ts';
import type { LoggedRequest } from '../mock-llm/request-log.ts';
import { holdsAccount } from './account.ts';
import { settles } from './cases-usual.ts';
import { longAnswer, Person } from './person.ts';
import { createWord, type Letter, Post } from './post.ts';
import { measure, soonMs } from './times.ts';
import { traits } from './traits.ts';

/**
 * A person breaks off the turn that reads a message. All in a life with the real spans: how long
 * others wait is the point.
 */
export const interruptedCases: readonly Check[] = [
  {
    name: 'esc-next',
    promise:
      'rule 42c: a person breaks off the answer to one message; the next one is read soon, and the first is never doubled in silence',
    run: async (life) => {
      const { post, person, first } = await breaksOff(life, 'stream');
      const { next, measured } = await readsNext(life, person, first.escAt, 'esc');
      await person.empties();
      await holdsAccount(post, [first.letter, next]);
      await settles(life);
      return measured;
    },
  },
  {
    name: 'esc-before-output',
    promise:
      'rules 42c and 49: broken off after the request and before any word; `explain` says so, and the next one is read soon',
    run: async (life) => {
      const { post, person, first } = await breaksOff(life, 'hang');
      await tellsInterruption(life, first.letter);
      const { next, measured } = await readsNext(life, person, first.escAt, 'esc-silent');
      await person.empties();
      await holdsAccount(post, [first.letter, next]);
      await settles(life);
      return measured;
    },
  },
  {
    name: 'esc-new',
    promise:
      'rule 42b: read, broken off, and a new conversation: the first ends seen, or again with a mark; the next is read in the new one',
    run: async (life) => {
      const { post, person, first, opener } = await breaksOff(life, 'stream');
      const newAt = await person.beginsAnew();
      const { next, measured } = await readsNext(life, person, newAt, 'new');
      must(!holds(post, next, opener), 'it went into the conversation that was left');
      await holdsAccount(post, [first.letter, next]);
      await settles(life);
      return measured;
    },
  },
];

interface BrokenOff {
  readonly post: Post;
  readonly person: Person;
  readonly opener: string;
  readonly first: { readonly letter: Letter; readonly escAt: number };
}

/**
 * A conversation, a message in it, and a person who breaks off the turn that reads it; a later copy
 * is answered at once.
 */
export async function breaksOff(life: Life, how: 'stream' | 'hang'): Promise<BrokenOff> {
  const post = new Post(life);
  const person = new Person(life);
  const opener = await person.opens();
  const script = createWord();
  life.mock.teach(script, [how === 'stream' ? longAnswer : { do: 'hang' }]);
  const letter = await post.send(`@@play ${script}`);
  const request = await waitUntil('its request', () => post.requestsWith(letter)[0], patienceMs);
  if (how === 'stream') await life.hands.shows(/word20\b/, patienceMs);
  life.mock.teach(script, [{ do: 'say', text: 'read at last' }]);
  const escAt = await person.interrupts(request);
  return { post, person, opener, first: { letter, escAt } };
}

/**
 * The next message, sent at once: how long from that moment until the model had it, and until the
 * ledger says so.
 */
export async function readsNext(
  life: Life,
  person: Person,
  since: number,
  name: string,
): Promise<{ readonly next: Letter; readonly measured: Measured }> {
  const post = new Post(life);
  const next = await post.send('@@say the next one');
  let from = since;
  // Nothing is pasted over what an interruption put back: the person throws it away, and from then
  // on it is measured.
  if (traits[life.lab.name].idle === 'paste' && (await person.hasDraft())) {
    await person.empties();
    from = Date.now();
  }
  const story = await post.isSeen(next, undefined, soonMs);
  return { next, measured: measure(name, from, post.requestsWith(next), story) };
}

export function holds(post: Post, letter: Letter, word: string): boolean {
  const last: LoggedRequest | undefined = post.requestsWith(letter).at(-1);
  return last?.body.includes(word) === true;
}

/** Where it stays in the conversation, in so many words; in any case that somebody interrupted. */
async function tellsInterruption(life: Life, { id }: Letter): Promise<void> {
  let told = '';
  const isTold = async (): Promise<boolean> => {
    told = await life.box.show(['explain', id]);
    return /interrupted|a person put it back/i.test(told);
  };
  await waitUntil('a word of the interruption', isTold, 20_000).catch(() => {
    throw new Error(`explain is silent about the interruption: ${told}`);
  });
}
