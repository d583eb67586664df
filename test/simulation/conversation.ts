import type { Kind } from './kinds.ts';
import type { Stage } from './stage.ts';
import { type Entry, readEnvelope } from './truth.ts';

/** One agent's conversations, one after the other, and what its CLI's records show of them. */
export class Conversations {
  readonly entries: Entry[] = [];
  readonly #stage: Stage;
  readonly #agent: string;
  readonly #kind: Kind;
  readonly #texts = new WeakMap<Entry, string>();
  #current = 1;

  constructor(stage: Stage, agent: string, kind: Kind) {
    this.#stage = stage;
    this.#agent = agent;
    this.#kind = kind;
  }

  isCurrent(entry: Entry): boolean {
    return entry.conversation === this.#current;
  }

  /** A text enters. What a hook said is on record by the time the agent rests (rule 11), so that there is no long delay. */
  land(epoch: number, text: string, by: 'hook' | 'other'): void {
    const read = readEnvelope(text);
    if (!read) return;
    const entry = this.#enter(epoch, read.mark, read.copies, this.#lag(by));
    this.#texts.set(entry, text);
  }

  /** It took them itself. */
  pulled(epoch: number, copies: Entry['copies'], name: string): void {
    this.#enter(epoch, `pull-${name}`, copies, this.#stage.scheduler.monotonicMs);
  }

  /** Output: whatever is in the conversation has been read. */
  speak(): readonly Entry[] {
    const read = this.#unread();
    for (const entry of read) {
      entry.hasOutput = true;
      entry.outputAt = this.#lag('other');
      this.#stage.truth.answer(entry);
    }
    return read;
  }

  /** A person cancels the turn. Returns what goes back into the composer. */
  cancel(): string | undefined {
    const { onCancel } = this.#kind;
    if (onCancel === 'stays') return undefined;
    for (const entry of this.#unread()) if (isOurs(entry)) entry.removed = 'interrupted';
    const last = this.entries.findLast(isOurs);
    if (onCancel === 'removed' && last?.hasOutput && this.#stage.random.chance(0.3))
      last.removed = 'interrupted';
    const isBack = onCancel === 'put-back' && last?.removed === 'interrupted';
    return isBack ? this.#texts.get(last) : undefined;
  }

  fail(): void {
    if (this.#kind.onFailure !== 'removed') return;
    for (const entry of this.#unread()) if (isOurs(entry)) entry.removed = 'refused';
  }

  /** What was put back and is sent again is the same copy. */
  forget(mark: string | undefined): void {
    const old = this.entries.findIndex((entry) => entry.mark === mark);
    if (old >= 0) this.entries.splice(old, 1);
  }

  /** The process ends: what a CLI writes before it lets go is on record now. */
  flush(): void {
    if (!this.#kind.provesAbsence) return;
    const now = this.#stage.scheduler.monotonicMs;
    for (const entry of this.entries) entry.visibleAt = Math.min(entry.visibleAt, now);
  }

  leave(): void {
    this.#current++;
  }

  #enter(epoch: number, mark: string, copies: Entry['copies'], visibleAt: number): Entry {
    const entry = {
      ...{ mark, copies, epoch, visibleAt },
      conversation: this.#current,
      hasOutput: false,
    };
    this.entries.push(entry);
    this.#stage.truth.landed(this.#agent, entry);
    return entry;
  }

  #unread(): readonly Entry[] {
    return this.entries.filter(
      (entry) => this.isCurrent(entry) && !entry.hasOutput && !entry.removed,
    );
  }

  /** When the records show what happens now; later than any limit at times, and in any order. */
  #lag(by: 'hook' | 'other'): number {
    const { random, faults, scheduler } = this.#stage;
    const now = scheduler.monotonicMs;
    if (faults?.lateEvidence && by === 'other' && random.chance(0.15))
      return now + random.between(60_000, 200_000);
    return now + (random.chance(0.6) ? 0 : random.between(0, 2000));
  }
}

/** The results of its own commands stay where they are. */
function isOurs({ mark }: Entry): boolean {
  return mark.startsWith('mark_');
}
