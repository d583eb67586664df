import { type Check, must } from '../life/check.ts';
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
  const line = /^\[signalbox \S+ mark_\w+[^\]\n]*\]\n/.exec(text)?.[0];
  must(line !== undefined && text === line + body, `it is not exact: ${JSON.stringify(text)}`);
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
