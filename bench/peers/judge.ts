import type { LoggedRequest } from '../../test/lab/mock-llm/request-log.ts';
import { readEntries } from '../../test/lab/team/conversation-of.ts';

/** What is judged is what the model got, never what a tool says of it. */
type Log = readonly LoggedRequest[];

/** The first turn whose model was told this word; not one that only said it itself. */
export function findArrival(log: Log, word: string): LoggedRequest | undefined {
  return log.find((request) => !request.isSide && isTold(request, word));
}

/** What became of a message that was sent while a draft stood in the composer. */
export type DraftFate = 'kept' | 'merged' | 'draft sent' | 'lost';

/** `word` of the message, `draft` of the person: neither stands anywhere else. */
export function judgeDraft(log: Log, word: string, draft: string): DraftFate {
  const turns = log.filter(({ isSide }) => !isSide);
  const isBoth = ({ lastUserText }: LoggedRequest): boolean =>
    lastUserText.includes(word) && lastUserText.includes(draft);
  if (turns.some(isBoth)) return 'merged';
  if (turns.some((request) => isTold(request, draft))) return 'draft sent';
  return findArrival(log, word) ? 'kept' : 'lost';
}

/** What became of many messages to one agent. */
export interface BurstFate {
  readonly arrived: number;
  /** Told more than once to the same model. */
  readonly doubled: number;
  /** Requests that brought at least one of them. */
  readonly requests: number;
  /** Of the first arrival and of the last one, in milliseconds since 1970. */
  readonly firstAt?: number;
  readonly lastAt?: number;
}

export function judgeBurst(log: Log, words: readonly string[]): BurstFate {
  const arrivals = words.flatMap((word) => findArrival(log, word) ?? []);
  const times = arrivals.map(({ at }) => at);
  return {
    arrived: arrivals.length,
    doubled: countDoubled(log, words),
    requests: new Set(arrivals.map(({ n }) => n)).size,
    ...(times.length === 0 ? {} : { firstAt: Math.min(...times), lastAt: Math.max(...times) }),
  };
}

/** Of these words, those that no model was told yet; looks at each request once. */
export class Missing {
  readonly #log: Log;
  readonly #words: Set<string>;
  #seen = 0;

  constructor(log: Log, words: readonly string[]) {
    this.#log = log;
    this.#words = new Set(words);
  }

  count(): number {
    for (; this.#seen < this.#log.length; this.#seen++) {
      const request = this.#log[this.#seen];
      for (const word of this.#words) {
        if (request && !request.isSide && isTold(request, word)) this.#words.delete(word);
      }
    }
    return this.#words.size;
  }
}

/** Told twice within one request: each repeats the conversation before it. */
function countDoubled(log: Log, words: readonly string[]): number {
  const doubled = new Set<string>();
  for (const request of log.filter(({ isSide }) => !isSide)) {
    const said = readEntries(request)
      .flatMap((entry) => (entry.kind === 'user' ? entry.text : []))
      .join('\n');
    for (const word of words) if (said.split(word).length > 2) doubled.add(word);
  }
  return doubled.size;
}

/** As the newest words said to it, or as any others of the user's side, or as a tool's result. */
function isTold(request: LoggedRequest, word: string): boolean {
  if (request.lastUserText.includes(word)) return true;
  // Bodies are long: most need not be parsed.
  if (!request.body.includes(word)) return false;
  return readEntries(request).some(
    (entry) => (entry.kind === 'user' || entry.kind === 'result') && entry.text.includes(word),
  );
}
