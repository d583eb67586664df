import type { Conversations } from './conversation.ts';
import type { Kind } from './kinds.ts';

/** What a CLI keeps for its next turns: in the process, or with each conversation. */
export class Queues {
  readonly #kind: Kind;
  readonly #talk: Conversations;
  readonly #texts = new Map<number, string[]>();

  constructor(kind: Kind, talk: Conversations) {
    this.#kind = kind;
    this.#talk = talk;
  }

  /** Of what the terminal shows. */
  get length(): number {
    return this.#here().length;
  }

  push(...texts: readonly string[]): void {
    this.#here().push(...texts);
  }

  takeAll(): readonly string[] {
    return this.#here().splice(0);
  }

  /** The conversation in whose queue it stands; 0 where the queue is the process's own. */
  find(mark: string): number | undefined {
    return [...this.#texts].find(([, texts]) => texts.some((text) => text.includes(mark)))?.[0];
  }

  isWaitingIn(conversation: number): boolean {
    return (this.#texts.get(conversation)?.length ?? 0) > 0;
  }

  /** True when it stood there, and stands there no more. */
  withdraw(mark: string): boolean {
    for (const texts of this.#texts.values()) {
      const at = texts.findIndex((text) => text.includes(mark));
      if (at < 0) continue;
      texts.splice(at, 1);
      return true;
    }
    return false;
  }

  /** What waits in other conversations, if a person ever comes back to them. */
  listElsewhere(): readonly string[] {
    const key = this.#key();
    return [...this.#texts].flatMap(([id, texts]) => (id === key ? [] : texts));
  }

  processEnded(): void {
    if (!this.#kind.queueSurvives) this.#texts.clear();
  }

  #here(): string[] {
    const key = this.#key();
    const texts = this.#texts.get(key) ?? [];
    this.#texts.set(key, texts);
    return texts;
  }

  #key(): number {
    return this.#kind.onLeave === 'kept' ? this.#talk.current : 0;
  }
}
