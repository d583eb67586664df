import type { Brief, Change, ChangeStore } from '../../messages/change-store.ts';
import { openStates } from '../../messages/transitions.ts';
import type { StoredMessage, Tables } from './tables.ts';

export class MemoryChangeStore implements ChangeStore {
  readonly #tables: Tables;

  constructor(tables: Tables) {
    this.#tables = tables;
  }

  async newest(): Promise<number> {
    return this.#tables.meta.get('change') ?? 0;
  }

  async listAfter(after: number, limit: number): Promise<readonly Change[] | 'unknown'> {
    const { changes, messages } = this.#tables;
    const [oldest = 1] = changes.keys();
    if (after > (await this.newest()) || after < oldest - 1) return 'unknown';
    return [...changes.values()]
      .filter(({ number }) => number > after)
      .slice(0, limit)
      .map((change) =>
        messages.has(change.message ?? '') ? change : { ...change, message: null },
      );
  }

  async listBriefs(ids: readonly string[]): Promise<readonly Brief[]> {
    return ids.flatMap((id) => {
      const message = this.#tables.messages.get(id);
      return message ? [this.#brief(message)] : [];
    });
  }

  async listRecent(since: number, limit: number): Promise<readonly Brief[]> {
    const found = this.#listRecent(since);
    return found.slice(Math.max(0, found.length - limit)).map((message) => this.#brief(message));
  }

  async countRecent(since: number): Promise<number> {
    return this.#listRecent(since).length;
  }

  #listRecent(since: number): readonly StoredMessage[] {
    return [...this.#tables.messages.values()]
      .filter((message) => this.#isRecent(message, since))
      .sort((a, b) => a.seq - b.seq);
  }

  #isRecent(message: StoredMessage, since: number): boolean {
    const { state, kind, discardedAt, settledAt, createdAt } = message;
    if ((settledAt ?? Number.NEGATIVE_INFINITY) >= since) return true;
    if (state === 'dead' || state === 'expired') {
      return discardedAt === undefined && kind !== 'bounce' && kind !== 'notice';
    }
    if (state === 'injected') return createdAt >= since || !this.#isEnd(message);
    return (openStates as readonly string[]).includes(state);
  }

  /** Rule 8: without any proof to be had it is an end, but for a pointer. */
  #isEnd({ id, token = 0 }: StoredMessage): boolean {
    const { claims, attempts } = this.#tables;
    return claims.get(token)?.provable === false && !attempts.get(id)?.get(token)?.isPointer;
  }

  #brief({ settledAt: _, ...message }: StoredMessage): Brief {
    const debt = this.#tables.debts.get(message.id);
    const moved = this.#tables.history.get(message.id)?.at(-1);
    return {
      message,
      changedAt: moved?.at ?? message.createdAt,
      ...(debt ? { debt: debt.end ?? 'open' } : {}),
    };
  }
}
