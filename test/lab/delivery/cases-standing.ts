import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type {
  Explanation,
  InboxList,
  MessageView,
  SendResult,
} from '../../../src/protocol/messages.ts';
import { mixedWords } from '../../../src/providers/marks.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { type Check, must } from '../life/check.ts';
import { isProcessing, patienceMs } from '../life/life.ts';
import type { LoggedRequest } from '../mock-llm/request-log.ts';
import type { CliName } from '../versions.ts';
import { settles } from './cases-usual.ts';
import { Person } from './person.ts';
import { type Letter, Post } from './post.ts';
import { SeatedPerson } from './seated-person.ts';
import { traits } from './traits.ts';

/** Rule 51: what the user writes reaches the model as the user's own prompt. */
export const standingCases: readonly Check[] = [
  {
    name: 'user-idle',
    promise: 'what the user sends to an idle agent is a prompt of the user, word for word',
    isShort: true,
    run: async (life) => {
      const post = new Post(life);
      const letter = await post.sendAsUser('yes, go ahead WORD');
      // Nothing can be pasted in herdr, and nothing else is a prompt there (rule 51b).
      if (life.lab.name === 'claude-code' && life.box.terminal === 'herdr') {
        const { message } = await post.isSeen(letter, 'native');
        must(message.standing === 'notice', `explain says ${message.standing}`);
        return undefined;
      }
      await isPrompt(post, letter, `yes, go ahead ${letter.word}`);
      await settles(life);
      return undefined;
    },
  },
  {
    name: 'user-busy',
    promise: 'what the user sends to a busy agent is a prompt, at its next rest or in its queue',
    run: async (life) => {
      const post = new Post(life);
      const turn = await life.ask('@@sleep 5 @@say a slow answer');
      await life.hears('processing', isProcessing, turn.from);
      const letter = await post.sendAsUser('and then WORD');
      await isPrompt(post, letter, `and then ${letter.word}`);
      must(turn.request.outcome === 'finished', `the running answer: ${turn.request.outcome}`);
      await settles(life);
      return undefined;
    },
  },
  {
    name: 'user-nasty',
    promise:
      'words of the user that a CLI would act on run nothing, end nothing and arrive, to the letter',
    run: async (life) => {
      const post = new Post(life);
      const planted = join(life.home.cwd, 'planted');
      writeFileSync(join(life.home.cwd, 'canary.txt'), 'a canary\n');
      const opener = await new Person(life).opens();
      const before = await life.rootProcess();
      for (const { sent, shownIn = {}, ...wanted } of nasty) {
        const shown = shownIn[life.lab.name] ?? wanted.shown ?? sent;
        const first = life.mock.requests.length;
        const { id } = await life.box.askAsUser<SendResult>(['send', 'lab', sent]);
        const story = await post.becomes({ id, word: id }, ['seen', 'acked']);
        must(story.message.standing === 'prompt', `${sent}: it was a ${story.message.standing}`);
        isToTheLetter(life.mock.requests.slice(first), shown, opener);
        isExact(story);
        await settles(life);
        must(!existsSync(planted), `${sent} ran`);
      }
      const after = await life.rootProcess();
      must(after.pid === before.pid && after.startedAt === before.startedAt, 'another process');
      return undefined;
    },
  },
  {
    name: 'user-esc',
    promise: 'a prompt that a person takes back before any output is not said for them again',
    run: async (life) => {
      const post = new Post(life);
      const letter = await post.sendAsUser('WORD @@sleep 60 @@say never read');
      await waitUntil('its request', () => post.requestsWith(letter)[0], patienceMs);
      const person = await SeatedPerson.sit(life);
      try {
        await person.presses(...life.lab.interruptKeys);
        const [request] = post.requestsWith(letter);
        await waitUntil('the end of its turn', () => request?.outcome, patienceMs);
        await settles(life);
        if (life.lab.name === 'claude-code') await tellsPutBack(post, letter);
        // In an empty composer Ctrl-C ends Codex 0.166.0 and OpenCode 1.18.33.
        if (await new Person(life).hasDraft())
          await person.presses(...traits[life.lab.name].emptyAllKeys);
      } finally {
        await person.leaves();
      }
      const next = await post.sendAsUser('WORD @@say read');
      await post.isSeen(next, undefined, 90_000);
      const { message } = await post.explain(letter.id);
      const [answered] = post.requestsWith(next);
      const isInContext = answered?.body.includes(letter.word) === true;
      // Where the CLI keeps it in its conversation, its next answer has read it (rule 42c).
      const wanted = isInContext ? 'seen' : 'dead';
      await post.becomes(letter, [wanted]);
      must(isInContext || message.attempts === 1, `${message.attempts} attempts`);
      await settles(life);
      return undefined;
    },
  },
  {
    name: 'user-told',
    promise: 'the user is told once how the turn that held the prompt ended, with its last words',
    isShort: true,
    run: async (life) => {
      const post = new Post(life);
      const letter = await post.sendAsUser('WORD @@say the last words');
      await post.isSeen(letter);
      await settles(life);
      let told: readonly MessageView[] = [];
      await waitUntil('the completion', async () => {
        const { messages } = await life.box.ask<InboxList>(['inbox', 'list', 'user']);
        told = messages.filter(({ replyTo }) => replyTo?.includes(letter.id));
        return told.length > 0;
      });
      must(told.length === 1 && told[0]?.kind === 'completion', `told ${told.length} times`);
      must(told[0]?.body.includes('the last words') === true, `in other words: ${told[0]?.body}`);
      return undefined;
    },
  },
];

interface Nasty {
  readonly sent: string;
  readonly shown?: string;
  /** Of one CLI. */
  readonly shownIn?: { readonly [name in CliName]?: string };
}

/**
 * Each would do harm, or be lost, if it began the prompt or stood alone in it. `shown`: what a
 * model gets of it, where that is not what was sent.
 */
const nasty: readonly Nasty[] = [
  { sent: 'exit' },
  { sent: 'quit' },
  { sent: ':q' },
  { sent: '!touch planted' },
  { sent: '/clear' },
  { sent: 'exit\nand more' },
  { sent: '!touch planted\nand more' },
  { sent: '/clear\nand more' },
  { sent: '$(touch planted) `touch planted` and more' },
  { sent: 'it ends with a backslash \\', shown: 'it ends with a backslash \\.' },
  { sent: 'here \u202Eright to left', shown: 'here <U+202E>right to left' },
  { sent: '  with blanks around  \n\n', shown: '  with blanks around' },
  // The user's own: the CLI may add what stands in that file.
  // Gemini CLI 0.61.0 and Qwen Code 0.24.4 put a blank before one that begins a line.
  { sent: '@canary.txt', shownIn: { gemini: ' @canary.txt', qwen: ' @canary.txt' } },
  { sent: 'look into @canary.txt, please' },
];

/**
 * One of the requests has it as a text of the user's role: our line, then these words, and nothing
 * more; and it belongs to the conversation that began so.
 */
function isToTheLetter(requests: readonly LoggedRequest[], words: string, opener: string): void {
  const own = requests.filter(({ isSide, body }) => !isSide && body.includes(opener));
  const texts = own.flatMap(({ body }) => findTexts(JSON.parse(body), words));
  const isIt = ({ role, text }: Spoken): boolean => role === 'user' && wordsOf(text) === words;
  must(texts.some(isIt), `${JSON.stringify(words)} is not exact: ${JSON.stringify(texts)}`);
  must(!texts.some((one) => isIt(one) && denials.test(one.text)), `${words} is disowned`);
}

/** What a CLI puts around, before or behind what is not its user's word. */
export const denials = /NOT USER INPUT|not typed here by your user|No human input|automated/i;

/**
 * The model's request has it as one text of the user's role: our line, then the words, and nothing
 * more.
 */
export async function isPrompt(
  post: Post,
  letter: Letter,
  body: string,
  deadlineMs?: number,
): Promise<void> {
  const story = await post.isSeen(letter, undefined, deadlineMs);
  must(story.message.standing === 'prompt', `explain says ${story.message.standing}`);
  isExact(story);
  const [request] = post.requestsWith(letter);
  const texts = findTexts(JSON.parse(request?.body ?? '{}'), letter.word);
  must(texts.length === 1, `${texts.length} texts of the request hold it`);
  const [{ role, text } = { role: 'none', text: '' }] = texts;
  must(role === 'user', `its role is ${role}`);
  must(wordsOf(text) === body, `it is not exact: ${JSON.stringify(text)}`);
  must(!denials.test(text), `it is disowned: ${text}`);
}

/** By what signalbox itself makes of the CLI's records. */
function isExact({ message, history }: Explanation): void {
  const doubt = history.find(({ evidence = '' }) => evidence.includes(mixedWords.slice(0, -1)));
  must(!doubt, `${JSON.stringify(message.body)}: explain says ${doubt?.evidence}`);
}

/** All that stands below our line; undefined of any other text. */
function wordsOf(text: string): string | undefined {
  // Copilot CLI 1.0.102 puts the time before everything that a person types.
  const bare = text.replace(/^<current_datetime>[^<]*<\/current_datetime>\n\n/, '');
  const line = /^<signalbox (?!mark_)\S+ mark_\w+[^>\n]*>\n/.exec(bare)?.[0];
  return line === undefined ? undefined : bare.slice(line.length);
}

/** `explain` says where it is: Claude Code 2.1.325 has put it back into the composer. */
export async function tellsPutBack(post: Post, { id }: Letter): Promise<void> {
  await waitUntil('the word of the composer', async () => {
    const { waitsForCode } = await post.explain(id);
    return waitsForCode === 'put-back';
  });
}

interface Spoken {
  readonly role: string;
  readonly text: string;
}

/**
 * Every text of a request that holds the word, with the role of whoever is said to have said it.
 */
export function findTexts(value: unknown, word: string, role = 'none'): readonly Spoken[] {
  if (typeof value === 'string') return value.includes(word) ? [{ role, text: value }] : [];
  if (typeof value !== 'object' || value === null) return [];
  const own = (value as { readonly role?: unknown }).role;
  const next = typeof own === 'string' ? own : role;
  return Object.values(value).flatMap((part) => findTexts(part, word, next));
}
