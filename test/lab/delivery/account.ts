import type { Explanation } from '../../../src/protocol/messages.ts';
import { must } from '../life/check.ts';
import type { LoggedRequest } from '../mock-llm/request-log.ts';
import type { Letter, Post } from './post.ts';

/**
 * One copy of a message, as the model's requests show it: each attempt has a mark of its own in its
 * fence.
 */
interface Copy {
  readonly mark: string;
  /** It says of itself that it may be a repeat. */
  readonly isMarked: boolean;
  /**
   * The model answered a request that held it, or may have: all but those that were turned down
   * with a status.
   */
  readonly mayHaveBeenRead: boolean;
}

/**
 * What must be so of every message whatever people did, by what the mock got: it ended `seen`; not
 * before the model had said a word after it; no second copy without a word that it is one, once the
 * first may have been read; and never twice in one request under the same mark, as a text that was
 * glued to another would be.
 */
export async function holdsAccount(post: Post, letters: readonly Letter[]): Promise<void> {
  must(letters.length > 0, 'there was no message to account for');
  for (const letter of letters) {
    const story = await post.becomes(letter, ['seen', 'acked']);
    const requests = post.requestsWith(letter);
    must(requests.length > 0, `the ledger says seen; the model never got ${letter.word}`);
    isNotSeenTooSoon(story, requests);
    for (const request of requests) isWrittenOnce(request, letter);
    areRepeatsMarked(copiesOf(requests, letter), story);
  }
}

function isNotSeenTooSoon({ history }: Explanation, requests: readonly LoggedRequest[]): void {
  const seenAt = history.find(({ to }) => to === 'seen' || to === 'acked')?.at;
  if (seenAt === undefined) throw new Error('its history does not say when it was seen');
  const spoken = requests.some(({ outputAt = Number.NaN }) => outputAt <= Date.parse(seenAt));
  must(spoken, 'rule 43: called seen before the model had said a word after it');
}

function isWrittenOnce({ body, n }: LoggedRequest, letter: Letter): void {
  const marks = occurrences(body, letter).map(({ mark }) => mark);
  must(new Set(marks).size === marks.length, `request ${n} holds the same copy twice`);
}

function areRepeatsMarked(copies: readonly Copy[], story: Explanation): void {
  const firstRead = copies.findIndex(({ mayHaveBeenRead }) => mayHaveBeenRead);
  const silent = copies.filter(({ isMarked }, i) => i > firstRead && !isMarked);
  const causes = story.history.map(({ to, cause }) => `${to} (${cause})`).join(' → ');
  must(firstRead < 0 || silent.length === 0, `rule 49: a second copy without a mark: ${causes}`);
}

function copiesOf(requests: readonly LoggedRequest[], letter: Letter): readonly Copy[] {
  const copies = new Map<string, Copy>();
  for (const { body, outcome } of requests) {
    for (const { mark, isMarked } of occurrences(body, letter)) {
      const mayHaveBeenRead = copies.get(mark)?.mayHaveBeenRead || outcome !== 'failed';
      copies.set(mark, { mark, isMarked, mayHaveBeenRead });
    }
  }
  return [...copies.values()];
}

interface Occurrence {
  readonly mark: string;
  readonly isMarked: boolean;
}

/**
 * In the body as it was sent, JSON and all: the fence before it names the attempt, the line above
 * it says whether it is a repeat.
 */
function occurrences(body: string, { word }: Letter): readonly Occurrence[] {
  return [...body.matchAll(new RegExp(word, 'g'))].map(({ index }) => {
    const before = body.slice(0, index);
    const mark = [...before.matchAll(/signalbox (?:\S+ )?(mark_\w+)/g)].at(-1)?.[1] ?? 'no fence';
    const header = before.slice(
      [...before.matchAll(/(?:--- \w+ |mark_\w+>\\n)(?:\d+|msg_\w+) \w/g)].at(-1)?.index ?? 0,
    );
    return { mark, isMarked: header.includes('MAY BE A REPEAT') };
  });
}
