import type { Kind } from './kinds.ts';
import type { Stage } from './stage.ts';
import { type Entry, isOurs, readEnvelope } from './truth.ts';

/** One agent's conversations, what is in them, and what its CLI's records show of them. */
export class Conversations {
  readonly entries: Entry[] = [];
  readonly #stage: Stage;
  readonly #agent: string;
  readonly #kind: Kind;
  readonly #texts = new WeakMap<Entry, string>();
  readonly #cleared = new Set<number>();
  readonly #sentAgain = new Set<string>();
  #boundaries = 0;
  #boundaryAt = Number.NEGATIVE_INFINITY;
  /** Failed turns since the last one that ended well, and when the model last answered in full. */
  #failures = 0;
  #answeredAt = Number.NEGATIVE_INFINITY;
  #current = 1;
  #last = 1;
  /** As the provider knows it, a moment later. */
  #known = 1;

  constructor(stage: Stage, agent: string, kind: Kind) {
    this.#stage = stage;
    this.#agent = agent;
    this.#kind = kind;
  }

  get current(): number {
    return this.#current;
  }

  get next(): number {
    return this.#last + 1;
  }

  isCurrent(entry: Entry): boolean {
    return entry.conversation === this.#current;
  }

  /** The terminal shows another conversation than this one, as far as the provider knows. */
  isLeft(conversation: number): boolean {
    return conversation !== this.#known;
  }

  /** Those that a person can go back to. */
  listOthers(): readonly number[] {
    const all = Array.from({ length: this.#last }, (_, i) => i + 1);
    return all.filter((id) => id !== this.#current && !this.#cleared.has(id));
  }

  /**
   * A text enters. What a hook said is on record by the time the agent rests (rule 11), so that
   * there is no long delay.
   */
  land(epoch: number, text: string, by: 'hook' | 'other', isWake = false): void {
    const read = readEnvelope(text, (number) => this.#stage.idOf(this.#agent, number));
    if (!read) return;
    const size = Buffer.byteLength(text);
    const broken = size > 8192 && `rule 13: a text of ${size} bytes`;
    this.#stage.truth.judge('rule 13: a text of one size', broken);
    const entry = this.#enter(epoch, read.mark, read.copies, this.#lag(by));
    this.#texts.set(entry, text);
    if (isWake) this.#checkBackOff(entry);
  }

  /** It took them itself. */
  pulled(epoch: number, copies: Entry['copies'], name: string): void {
    this.#enter(epoch, `pull-${name}`, copies, this.#stage.scheduler.monotonicMs);
  }

  /** Output: whatever is in the conversation has been read. */
  speak(how: 'answered' | 'broken'): readonly Entry[] {
    if (how === 'answered') this.#answeredAt = this.#stage.scheduler.monotonicMs;
    const read = this.listUnread();
    for (const entry of read) {
      entry.hasOutput = true;
      entry.outputAt = this.#lag('other');
      this.#stage.truth.answer(entry, this.#stage.scheduler.now);
    }
    return read;
  }

  /** A person cancels the turn. Returns what goes back into the composer. */
  cancel(): string | undefined {
    const { onCancel } = this.#kind;
    const unread = this.listUnread();
    for (const entry of unread) {
      if (isOurs(entry) && onCancel !== 'stays') this.#takeOut(entry);
      else entry.isInterrupted = true;
    }
    if (onCancel === 'stays') return undefined;
    const last = this.entries.findLast(isOurs);
    if (onCancel === 'removed' && last?.hasOutput && this.#stage.random.chance(0.3))
      this.#takeOut(last);
    const isBack = onCancel === 'put-back' && last?.removed === 'interrupted';
    return isBack ? this.#texts.get(last) : undefined;
  }

  /** A turn ended, and not because a person cancelled it. */
  passBoundary(how: 'completed' | 'failed'): void {
    this.#boundaries++;
    this.#boundaryAt = this.#stage.scheduler.monotonicMs;
    this.#failures = how === 'failed' ? this.#failures + 1 : 0;
  }

  /** The request failed: what it carried, answered or not, may be taken out again. */
  fail(carried: readonly Entry[], because: 'refused' | 'failed', isUpToDate: boolean): void {
    if (this.#kind.onFailure !== 'removed') return;
    // What a person interrupted belongs to an earlier turn, and stays.
    const { scheduler, daemons } = this.#stage;
    // A failure within the back-off of another one does not make it longer; news of a good turn
    // before it, heard late, ends it.
    const isFirst = this.#failures === 1 && isUpToDate;
    const failed = isFirst ? { at: scheduler.monotonicMs, daemons } : undefined;
    for (const entry of carried) {
      // What stays, and got a word of a stream that broke, is proof of an API that answers.
      if (entry.isInterrupted && entry.hasOutput) this.#answeredAt = scheduler.monotonicMs;
      if (!isOurs(entry) || entry.isInterrupted) continue;
      entry.removed = because;
      entry.removedAt = scheduler.now;
      if (failed) entry.failed = failed;
    }
  }

  /** What was put back and is sent again is the same copy. */
  forget(mark: string | undefined): void {
    const old = this.entries.findIndex((entry) => entry.mark === mark);
    if (old < 0 || mark === undefined) return;
    this.entries.splice(old, 1);
    this.#sentAgain.add(mark);
  }

  /** The process ends: what a CLI writes before it lets go is on record now. */
  flush(): void {
    if (!this.#kind.provesAbsence) return;
    const now = this.#stage.scheduler.monotonicMs;
    for (const entry of this.entries) entry.visibleAt = Math.min(entry.visibleAt, now);
  }

  /** `/new`, `/clear`, `/resume`, or a start without the old one. */
  open(conversation: number, how: 'kept' | 'cleared' = 'kept'): void {
    if (how === 'cleared') this.#cleared.add(this.#current);
    this.#current = conversation;
    this.#last = Math.max(this.#last, conversation);
    for (const entry of this.entries) if (!this.isCurrent(entry)) entry.wasLeft = true;
    const { scheduler, random } = this.#stage;
    // Within the 2 s after which the engine believes that a conversation was left.
    const lagMs = random.chance(0.5) ? 0 : random.between(0, 1500);
    scheduler.after(this.#stage.always, lagMs, () => {
      this.#known = this.#current;
      this.#stage.learned(this.#agent);
    });
  }

  listUnread(): readonly Entry[] {
    return this.entries.filter(
      (entry) => this.isCurrent(entry) && !entry.hasOutput && !entry.removed,
    );
  }

  #enter(epoch: number, mark: string, copies: Entry['copies'], visibleAt: number): Entry {
    const entry = {
      ...{ mark, copies, epoch, visibleAt },
      conversation: this.#current,
      at: this.#stage.scheduler.now,
      hasOutput: false,
      isInterrupted: false,
      wasLeft: false,
    };
    this.#checkRepeats(entry);
    this.entries.push(entry);
    this.#stage.truth.landed(this.#agent, entry);
    return entry;
  }

  #takeOut(entry: Entry): void {
    entry.removed = 'interrupted';
    entry.removedAt = this.#stage.scheduler.now;
    // Over the stop hook of a turn: its end is on its way to the daemon, and counts when it comes.
    // The fleet may call an interruption unknown, after which delivery does not wait.
    if (this.#stage.audience) return;
    if (this.#stage.scheduler.monotonicMs - this.#boundaryAt > 1000)
      entry.removedAfter = this.#boundaries;
  }

  /**
   * A second copy beside one that stands in the conversation, shown and on record all the time, was
   * needless (rules 10, 42c).
   */
  #checkRepeats(later: Entry): void {
    const { chosen, scheduler, truth } = this.#stage;
    // Of records in a strange form nothing but a person's eyes can say so.
    if (this.#kind.isStrange) return;
    // What came later than its route had said may have been offered again, and read, before it.
    if (!isOurs(later) || !this.#kind.hasProof || truth.late.has(later.mark)) return;
    if (chosen.lateEvidence || chosen.brokenEvidence) return;
    for (const entry of this.entries) {
      // What a person sent again from the composer may have been queued again before that.
      if (this.#sentAgain.has(entry.mark)) continue;
      this.#checkBoundary(entry, later);
      const isThere = this.isCurrent(entry) && entry.epoch === later.epoch && !entry.removed;
      // What came late, from a queue that had been left, may have been given up before.
      if (!isThere || entry.wasLeft || !isOurs(entry) || truth.late.has(entry.mark)) continue;
      const isRead = entry.outputAt !== undefined && entry.outputAt < scheduler.monotonicMs - 5000;
      const isTold = entry.isInterrupted && this.#kind.tellsInterruption;
      if (!(isRead || isTold) || entry.visibleAt > scheduler.monotonicMs - 5000) continue;
      const twice = later.copies.find(({ id }) => isBody(entry, id));
      const broken = twice && `rule 42: ${twice.id} came again, needlessly (${this.#kind.name})`;
      truth.judge('rule 42: beside a copy that was read', broken);
    }
  }

  /**
   * Rule 9: what a person's interruption took out comes again at the next turn boundary, not over
   * that person.
   */
  #checkBoundary(entry: Entry, later: Entry): void {
    const isHere = this.isCurrent(entry) && entry.epoch === later.epoch && !entry.wasLeft;
    if (!isHere || entry.removedAfter !== this.#boundaries || entry.mark === later.mark) return;
    const again = later.copies.find(({ id }) => isBody(entry, id));
    const broken = again && `rule 9: ${again.id} came again over a person`;
    this.#stage.truth.judge('rule 9: taken out by a person', broken);
  }

  /**
   * A failing API is left alone for 30 s at first, whether the status shows it or only the records
   * do.
   */
  #checkBackOff(later: Entry): void {
    const { chosen, scheduler, truth, daemons } = this.#stage;
    if (chosen.lateEvidence || chosen.brokenEvidence || truth.late.has(later.mark)) return;
    // A screen that cannot be read keeps nothing from a way in that is open always, the error that
    // it shows included.
    if (!this.#kind.hasProof || this.#kind.ways.nativeDuring.includes('waiting')) return;
    for (const { failed, copies, epoch } of this.entries) {
      if (!failed || epoch !== later.epoch || failed.daemons !== daemons) continue;
      // An answer to another text, which is found a little later, ends it.
      if (this.#failures === 0 || this.#answeredAt > failed.at - 6000) continue;
      const again = later.copies.find(({ id }) => copies.some((copy) => copy.id === id));
      const isSoon = scheduler.monotonicMs - failed.at < 25_000;
      const broken = again && isSoon && `back-off: ${again.id} came again at once to a failing API`;
      truth.judge('back-off: after a failure', broken);
    }
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

function isBody({ copies }: Entry, id: string): boolean {
  return copies.some((copy) => copy.id === id && !copy.isPointer);
}
