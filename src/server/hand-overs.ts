import type { Clock } from '../shared/clock.ts';
import { pause } from '../shared/clock.ts';
import { createSecret } from '../shared/ids.ts';
import type { HandOver } from './hand-over.ts';

/** A client that has printed what it was given says so within this time. */
const confirmMs = 15_000;

/**
 * What was answered to clients that print it for somebody else, until they confirm that they have
 * (rule 16). Unconfirmed, nobody knows how much of it was read: it is lost, and with it offered
 * again, marked.
 */
export class HandOvers {
  readonly #clock: Clock;
  readonly #onTrouble: (error: unknown) => void;
  readonly #open = new Map<string, Pick<HandOver, 'finish' | 'lose'> & { over: AbortController }>();

  constructor(clock: Clock, onTrouble: (error: unknown) => void) {
    this.#clock = clock;
    this.#onTrouble = onTrouble;
  }

  /** Returns the name by which it is confirmed. */
  keep({ finish, lose }: Pick<HandOver, 'finish' | 'lose'>): string {
    const id = createSecret('over');
    const over = new AbortController();
    this.#open.set(id, { finish, lose, over });
    const cause = 'whoever asked for it did not say that it was printed';
    void pause(this.#clock, confirmMs, over.signal).then(async (isLate) => {
      if (isLate) await this.lose(id, cause);
    });
    return id;
  }

  /** False when it comes too late, or is unknown. */
  async confirm(id: string): Promise<boolean> {
    const kept = this.#take(id);
    if (!kept) return false;
    await kept.finish();
    return true;
  }

  async lose(id: string, cause: string): Promise<void> {
    await this.#take(id)?.lose(cause).catch(this.#onTrouble); // Reported there.
  }

  #take(id: string) {
    const kept = this.#open.get(id);
    this.#open.delete(id);
    kept?.over.abort();
    return kept;
  }
}
