import { type Check, must } from '../life/check.ts';
import { isProcessing, type Life } from '../life/life.ts';
import type { LoggedRequest } from '../mock-llm/request-log.ts';
import { type Letter, Post } from './post.ts';

/** Long enough that what is sent meanwhile is sent to a busy agent. */
const slow = '@@sleep 6 @@say a slow answer';

/**
 * What a model pays for one short message beside its words, by each route, and whether a path or a
 * command line of ours stands in it.
 */
export const wordCases: readonly Check[] = [
  {
    name: 'words',
    promise: 'rule 14: a short message stands once in the request, with no path of ours around it',
    run: async (life) => {
      const post = new Post(life);
      const idle = await post.send('@@say ok', ['--notice']);
      await measure(life, post, idle);
      const turn = await life.ask(slow);
      await life.hears('processing', isProcessing, turn.from);
      const busy = await post.send('@@say ok', ['--notice']);
      await measure(life, post, busy);
      return undefined;
    },
  },
];

async function measure({ box, lab }: Life, post: Post, letter: Letter): Promise<void> {
  const story = await post.isSeen(letter);
  const [request] = post.requestsWith(letter);
  if (!request) throw new Error('the model never got it');
  const texts = textsWith(request, letter.word);
  const route = story.attempts.at(-1)?.route;
  must(texts.length === 1, `it stands in ${texts.length} texts: ${JSON.stringify(texts)}`);
  const [text = ''] = texts;
  must(text.split(letter.word).length === 2, 'it stands twice in one text');
  must(!text.includes(box.state), `a path of ours stands beside it: ${text}`);
  const own = /<signalbox (\w*?(\w{8}))>[\s\S]*?<\/signalbox (?:\1|\2)>/.exec(text)?.[0] ?? '';
  const bytes = Buffer.byteLength(story.message.body);
  const [ours, all] = [own, text].map((each) => Buffer.byteLength(each) - bytes);
  const facts = { cli: lab.name, route, ours, all, text };
  process.stdout.write(`words ${JSON.stringify(facts)}\n`);
}

/** Every string of a request that holds a word, wherever it stands. */
function textsWith({ body }: LoggedRequest, word: string): readonly string[] {
  const found: string[] = [];
  const walk = (value: unknown): void => {
    if (typeof value === 'string') {
      if (value.includes(word)) found.push(value);
    } else if (typeof value === 'object' && value !== null) Object.values(value).forEach(walk);
  };
  walk(JSON.parse(body));
  return found;
}
