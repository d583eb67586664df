import type { CliQuestion, Decided, Decision } from './questions.ts';

/** More than a person looks through; those that come after them are for the terminal. */
const mostOpen = 50;

/** Why a decision cannot be sent, or sends it. */
type Send<T> = (more: T) => Promise<Decided>;

/**
 * The questions of one channel, the oldest first, each with what the channel needs to answer it.
 * One decision at a time goes to each.
 */
export class OpenQuestions<T> {
  readonly #open = new Map<string, { readonly question: CliQuestion; readonly more: T }>();
  readonly #deciding = new Set<string>();
  readonly #changed: () => void;

  constructor(changed: () => void) {
    this.#changed = changed;
  }

  get list(): readonly CliQuestion[] {
    return [...this.#open.values()].map(({ question }) => question);
  }

  get all(): readonly T[] {
    return [...this.#open.values()].map(({ more }) => more);
  }

  find(key: string): T | undefined {
    return this.#open.get(key)?.more;
  }

  /** One that is there already stays as it was. */
  add(question: CliQuestion, more: T): void {
    if (this.#open.has(question.key) || this.#open.size >= mostOpen) return;
    this.#open.set(question.key, { question, more });
    this.#changed();
  }

  close(key: string): void {
    if (this.#open.delete(key)) this.#changed();
  }

  closeWhere(isOver: (more: T, question: CliQuestion) => boolean): void {
    for (const [key, { question, more }] of this.#open) {
      if (isOver(more, question)) this.close(key);
    }
  }

  clear(): void {
    this.closeWhere(() => true);
  }

  async decide(
    key: string,
    { decision, signal }: { readonly decision: Decision; readonly signal: AbortSignal },
    send: Send<T>,
  ): Promise<Decided> {
    const found = this.#open.get(key);
    if (!found) return { outcome: 'gone' };
    if (!found.question.decisions.includes(decision)) {
      return refused(`this question cannot be answered with ${decision} from here`);
    }
    if (signal.aborted) return refused('it was too late to begin');
    if (this.#deciding.has(key)) return refused('another decision about it is on its way');
    this.#deciding.add(key);
    try {
      return await send(found.more);
    } finally {
      this.#deciding.delete(key);
    }
  }
}

export function refused(reason: string): Decided {
  return { outcome: 'refused', reason };
}

/** Longer than any of them took to confirm a decision; each is asked for it within a second. */
export const confirmMs = 5000;

/** Words that somebody waits for, by a name; each is for whoever waits at that moment. */
export class Awaited<T> {
  readonly #waiting = new Map<string, Set<(word: T) => void>>();

  /** Undefined when nobody said it in time. */
  async wait(name: string, ms: number): Promise<T | undefined> {
    return await new Promise((done) => {
      const waiting = this.#waiting.get(name) ?? new Set();
      this.#waiting.set(name, waiting);
      const end = (word: T | undefined): void => {
        clearTimeout(timer);
        waiting.delete(end);
        if (waiting.size === 0) this.#waiting.delete(name);
        done(word);
      };
      const timer = setTimeout(() => end(undefined), ms);
      waiting.add(end);
    });
  }

  say(name: string, word: T): void {
    for (const end of [...(this.#waiting.get(name) ?? [])]) end(word);
  }

  sayAll(word: T): void {
    for (const name of [...this.#waiting.keys()]) this.say(name, word);
  }
}
