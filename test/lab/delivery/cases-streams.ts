import { waitUntil } from '../../support/wait-until.ts';
import type { Check } from '../life/check.ts';
import { isAtRest, type Life, patienceMs } from '../life/life.ts';
import type { Break, Step } from '../mock-llm/directives.ts';
import { holdsAccount } from './account.ts';
import { settles } from './cases-usual.ts';
import { createWord, type Letter, Post } from './post.ts';

/**
 * So long a CLI's own tries are waited for before the model's API is well again: several of each
 * CLI's.
 */
const triesMs = 12_000;
/**
 * And so long where tries are counted, those that we make it do included: seven of OpenCode 1.18.33
 * take two minutes.
 */
const countedMs = 240_000;
/**
 * A CLI that waits longer before each of its own tries is still waiting when the API is well again
 * (Claude Code: 32 s).
 */
const afterTriesMs = patienceMs + 60_000;
/** At rest for so long after its request failed, it has given up: before another try it works. */
const givenUpMs = 1500;

/**
 * How the model's API fails a message: each row is what every request with it gets until the API is
 * well again.
 */
export const streamCases: readonly Check[] = [
  broken('headers', 'the connection drops after the headers of the answer'),
  broken('blank', 'the connection drops after an event that holds nothing'),
  broken('role', 'the connection drops after an event that names the role'),
  broken('word', 'the connection drops after the first word'),
  broken('error', 'the answer is an error in the stream'),
  failing('stream-silent', 'the answer ends well and holds no word', []),
  failing('stream-400', "the model's API answers 400", refused(400)),
  failing('stream-429', "the model's API answers 429", refused(429)),
  failing('stream-500s', "the model's API answers 500 seven times", refused(500), 7),
];

function broken(after: Break, what: string): Check {
  return failing(`stream-${after}`, what, [{ do: 'break', after, times: Infinity }]);
}

function refused(status: number): readonly Step[] {
  return [{ do: 'fail', status, times: Infinity }];
}

/**
 * What the model said, if anything, is what the mock sent: never `seen` before a word of it went
 * out (rule 43), never a second copy without a mark once the model may have read the first
 * (rule 49); it is read in the end, and so is the one behind it.
 */
function failing(name: string, what: string, steps: readonly Step[], tries?: number): Check {
  return {
    name,
    promise: `rules 43 and 49: ${what}; never seen too soon, never doubled in silence, and the next one is read`,
    ...(tries === undefined ? {} : { isLong: true }),
    run: async (life) => {
      const post = new Post(life);
      await post.isSeen(await post.send());
      await settles(life);
      const word = createWord();
      life.mock.answerWith(word, steps);
      const letter = await post.send('@@say read at last', [], word);
      await isTried(life, post, letter, tries).finally(() => life.mock.answerWith(word, undefined));
      const next = await post.send('@@say the next one');
      await post.becomes(next, ['seen', 'acked'], afterTriesMs);
      await post.becomes(letter, ['seen', 'acked'], afterTriesMs);
      await holdsAccount(post, [letter, next]);
      await settles(life);
      return undefined;
    },
  };
}

/**
 * Its request has failed, and the CLI has given up or tries again and again; or it has failed as
 * often as was wanted, by whoever's tries.
 */
async function isTried(life: Life, post: Post, letter: Letter, tries?: number): Promise<void> {
  const ended = (): readonly number[] =>
    post.requestsWith(letter).flatMap(({ endedAt }) => endedAt ?? []);
  await waitUntil('the failure of its request', () => ended().length > 0, patienceMs);
  const isOver = (): boolean => {
    if (tries !== undefined) return ended().length >= tries;
    const { current } = life;
    const since = Math.max(current?.at ?? 0, ...ended());
    return current !== undefined && isAtRest(current) && Date.now() - since > givenUpMs;
  };
  if (tries !== undefined) await waitUntil(`${tries} failures`, isOver, countedMs);
  else await waitUntil('the end of its tries', isOver, triesMs).catch(() => undefined);
}
