import type { InboxList, MessageView } from '../../../src/protocol/messages.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { type Check, must } from '../life/check.ts';
import { isProcessing } from '../life/life.ts';
import { settles } from './cases-usual.ts';
import { type Letter, Post } from './post.ts';

/** Rule 51: what the user writes reaches the model as the user's own prompt. */
export const standingCases: readonly Check[] = [
  {
    name: 'user-idle',
    promise: 'what the user sends to an idle agent is a prompt of the user, word for word',
    isShort: true,
    run: async (life) => {
      const post = new Post(life);
      const letter = await post.sendAsUser('yes, go ahead WORD');
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

/** What a CLI puts around, before or behind what is not its user's word. */
const denials = /NOT USER INPUT|not typed here by your user|No human input|automated/i;

/**
 * The model's request has it as one text of the user's role: our line, then the words, and nothing
 * more.
 */
async function isPrompt(post: Post, letter: Letter, body: string): Promise<void> {
  const story = await post.isSeen(letter);
  must(story.message.standing === 'prompt', `explain says ${story.message.standing}`);
  const [request] = post.requestsWith(letter);
  const texts = findTexts(JSON.parse(request?.body ?? '{}'), letter.word);
  must(texts.length === 1, `${texts.length} texts of the request hold it`);
  const [{ role, text } = { role: 'none', text: '' }] = texts;
  must(role === 'user', `its role is ${role}`);
  // Copilot CLI 1.0.102 puts the time before everything that a person types.
  const bare = text.replace(/^<current_datetime>[^<]*<\/current_datetime>\n\n/, '');
  const line = /^<signalbox (?!mark_)\S+ mark_\w+[^>\n]*>\n/.exec(bare)?.[0];
  must(line !== undefined && bare === line + body, `it is not exact: ${JSON.stringify(text)}`);
  must(!denials.test(text), `it is disowned: ${text}`);
}

interface Spoken {
  readonly role: string;
  readonly text: string;
}

/**
 * Every text of a request that holds the word, with the role of whoever is said to have said it.
 */
function findTexts(value: unknown, word: string, role = 'none'): readonly Spoken[] {
  if (typeof value === 'string') return value.includes(word) ? [{ role, text: value }] : [];
  if (typeof value !== 'object' || value === null) return [];
  const own = (value as { readonly role?: unknown }).role;
  const next = typeof own === 'string' ? own : role;
  return Object.values(value).flatMap((part) => findTexts(part, word, next));
}
