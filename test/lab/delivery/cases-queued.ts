import { waitUntil } from '../../support/wait-until.ts';
import type { Check, Measured } from '../life/check.ts';
import { must } from '../life/check.ts';
import { isAtRest, isProcessing, type Life, type Turn } from '../life/life.ts';
import { holdsAccount } from './account.ts';
import { pause, settles } from './cases-usual.ts';
import {
  answersAtLength,
  asksLater,
  breaksOffTool,
  runsTool,
  showsQuestion,
} from './long-turns.ts';
import { Person } from './person.ts';
import { createWord, type Letter, Post } from './post.ts';
import { measure, soonMs } from './times.ts';

/** From the rest that Esc brings to the model's request; what waits for it longer is lost. */
const mostMs = 15_000;

/**
 * A message was sent while the agent works, and waits, in the CLI's own queue or on our side; then
 * the person presses Esc. With the real spans: how long it waits is the point.
 */
export const queuedCases: readonly Check[] = [
  {
    name: 'esc-queue',
    promise:
      'rules 12, 22 and 42: Esc while a message waits: nothing of it stands in the composer, and it is read once, within 15 s of the rest',
    run: async (life) => {
      const waits = await waitsBehindAnswer(life);
      await waits.person.interrupts(waits.turn.request);
      return await readsByItself(life, waits, 'esc-queue');
    },
  },
  {
    name: 'esc-twice-queue',
    promise: 'the same for a person who presses Esc once more than is needed',
    run: async (life) => {
      const waits = await waitsBehindAnswer(life);
      await waits.person.interrupts(waits.turn.request);
      await life.hands.press(['Escape']);
      return await readsByItself(life, waits, 'esc-twice-queue');
    },
  },
  {
    name: 'esc-queue-prompt',
    promise:
      'rule 12: Esc while a message waits, and the person writes at once: their prompt holds their words alone, and the message is read once, behind it',
    run: async (life) => {
      const waits = await waitsBehindAnswer(life);
      await waits.person.interrupts(waits.turn.request);
      const { post, letter } = waits;
      await throwsBack(life, letter);
      const theirs = `@@say the person goes on ${createWord()}`;
      const { request } = await life.ask(theirs);
      must(!request.lastUserText.includes(letter.word), 'their prompt is glued to the message');
      await settles(life);
      await staysOut(life, letter);
      await post.isSeen(letter, undefined, soonMs);
      await holdsAccount(post, [letter]);
      await settles(life);
      return undefined;
    },
  },
  {
    name: 'esc-queue-tool',
    promise: 'Esc while a tool runs and a message waits: the same',
    run: async (life) => {
      const post = new Post(life);
      const person = new Person(life);
      await person.opens();
      const turn = await runsTool(life);
      await life.hears('work', isProcessing, life.events.length - 1);
      const letter = await post.send();
      await pause(waitedMs);
      await breaksOffTool(life);
      return await readsByItself(life, { post, person, letter, turn }, 'esc-queue-tool');
    },
  },
  {
    name: 'esc-queue-dialog',
    promise:
      'Esc in a dialog that opened over a message that waits: the same, and the tool does not run',
    run: async (life) => {
      const post = new Post(life);
      const person = new Person(life);
      await person.opens();
      const turn = await asksLater(life, 5000);
      await life.hears('processing', isProcessing, turn.from);
      const letter = await post.send();
      await showsQuestion(life, turn);
      await breaksOffTool(life);
      return await readsByItself(life, { post, person, letter, turn }, 'esc-queue-dialog');
    },
  },
];

interface Waits {
  readonly post: Post;
  readonly person: Person;
  readonly letter: Letter;
  readonly turn: Turn;
}

/** So long it stands where it waits: Qwen Code 0.24.4 reads its input file twice a second. */
const waitedMs = 2000;

async function waitsBehindAnswer(life: Life): Promise<Waits> {
  const post = new Post(life);
  const person = new Person(life);
  await person.opens();
  const turn = await answersAtLength(life);
  const letter = await post.send();
  await pause(waitedMs);
  must(turn.request.outcome === undefined, 'the answer was over before Esc');
  return { post, person, letter, turn };
}

/** The person leaves it at that. */
async function readsByItself(
  life: Life,
  { post, letter, turn }: Waits,
  name: string,
): Promise<Measured> {
  const restAt = await restOf(life, turn);
  const isRead = (): boolean => post.requestsWith(letter).length > 0;
  await waitUntil('its request', isRead, soonMs).catch(async () => {
    const { waitsFor, message } = await post.explain(letter.id);
    throw new Error(`it is ${message.state} and waits for ${waitsFor ?? 'nothing'}`);
  });
  await staysOut(life, letter);
  const story = await post.isSeen(letter, undefined, soonMs);
  const readMs = (post.requestsWith(letter)[0]?.at ?? Number.NaN) - restAt;
  must(readMs <= mostMs, `it was read ${(readMs / 1000).toFixed(1)} s after the rest`);
  await settles(life);
  await throwsBack(life, letter);
  const theirs = `@@say the person goes on ${createWord()}`;
  const { request } = await life.ask(theirs);
  must(request.lastUserText.trim().endsWith(theirs), 'the next prompt is not theirs alone');
  must(!request.lastUserText.includes(letter.word), 'their prompt is glued to the message');
  await holdsAccount(post, [letter]);
  await settles(life);
  return measure(name, restAt, post.requestsWith(letter), story);
}

/** When the turn was broken off, by what was said of it. */
async function restOf(life: Life, { from, request }: Turn): Promise<number> {
  const endedAt = request.endedAt ?? 0;
  const isEnd = (event: (typeof life.events)[number]): boolean =>
    isAtRest(event) && event.at >= endedAt - 100;
  return (await life.hears('rest', isEnd, from)).at;
}

/**
 * Qwen Code 0.24.4 puts the person's own prompt, which they broke off, back into the composer: they
 * throw it away before they write the next one.
 */
async function throwsBack(life: Life, letter: Letter): Promise<void> {
  await pause(500);
  await staysOut(life, letter);
  const { text, cursor } = await life.hands.look();
  if (text.split('\n')[cursor.y]?.includes('@@')) await life.hands.press(['C-u']);
}

/** By our own eyes and by the screen's: in the conversation it may stand. */
async function staysOut(life: Life, { word }: Letter): Promise<void> {
  const { text, cursor } = await life.hands.look();
  const below = text.split('\n').slice(Math.max(0, cursor.y - 2));
  must(!below.some((row) => row.includes(word)), 'it stands in the composer');
}
