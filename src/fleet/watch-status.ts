import { fuse, type NativeReport } from '../agents/fuse-status.ts';
import type { FusionMemory } from '../agents/fusion-memory.ts';
import { isAtRest } from '../agents/remember-turn.ts';
import type { StatusReport, StatusView, Verdict } from '../agents/status.ts';
import { takesPaste } from '../agents/takes-paste.ts';
import type { Clock } from '../shared/clock.ts';
import type { Look, NativeStatus } from '../terminals/backend.ts';
import { isSameView } from './known-status.ts';

/** A screen is settled when nothing was printed for so long. */
const settleMs = 50;
/** One that never settles (a spinner, a stream) is looked at this often. */
const restlessMs = 500;
/**
 * After a hook or the CLI's own word the screen is looked at once more, when it has had time to
 * follow.
 */
const followUpMs = 600;
/**
 * While the CLI itself says that it asks a person, the screen tells no more than which question it
 * is: a hint counts this seldom.
 */
const askedMs = 60_000;
const drawnMs = 10_000;
/**
 * A screen that cannot be read is tried again, and after a while what was last seen of it is worth
 * nothing.
 */
const blindRetryMs = 1000;
const blindAfterMs = 3000;
/** What depends on time alone (never ready) is judged anew this often while it matters. */
const startingCheckMs = 5000;

export interface StatusMonitorParts {
  readonly clock: Clock;
  readonly look: () => Promise<Look | 'gone'>;
  readonly detect: (look: Look) => Verdict;
  /** A life's first word of rest counts when the screen has said it for so long. */
  readonly readyAfterMs?: number;
  /** Only changes are told (E3). */
  readonly onChange: (view: StatusView) => void;
  /** The terminal is not there, or its program ended: somebody must find out. */
  readonly onGone: () => void;
  readonly onLook: (look: Look) => void;
  readonly onTrouble: (error: unknown) => void;
}

/**
 * The single source of truth for one agent's status (E3). It owns the newest word of every source
 * and the moment of the next look; it touches nothing but the screen, through `look`. While an
 * agent is quiet it has no timer and costs nothing. It dies with `close`, and nothing is lost: a
 * new one begins with a look.
 */
export class StatusMonitor {
  readonly #parts: StatusMonitorParts;
  #memory: FusionMemory;
  #view: StatusView | undefined;
  #ownState: StatusReport | undefined;
  #hook: StatusReport | undefined;
  #native: NativeReport | undefined;
  #screen: (Verdict & { at: number }) | undefined;
  #unconfirmed: string | undefined;
  /** Since when the screen has said the same. */
  #firstSeen: { readonly rule: string; readonly at: number } | undefined;
  #lastOutputAt: number;
  #restlessSince: number | undefined;
  #timer: NodeJS.Timeout | undefined;
  #dueAt = Number.POSITIVE_INFINITY;
  #followUpAt = Number.NEGATIVE_INFINITY;
  #blindSince: number | undefined;
  #atRestSince: number | undefined;
  #isLooking = false;
  #isClosed = false;

  constructor(parts: StatusMonitorParts, memory: FusionMemory) {
    this.#parts = parts;
    this.#memory = memory;
    this.#lastOutputAt = parts.clock.monotonicMs();
    this.#schedule(settleMs);
  }

  /** The composer is proven empty only by a look that is newer than everything printed. */
  get view(): StatusView | undefined {
    const isStale = !this.#screen || this.#lastOutputAt > this.#screen.at || this.#isBlind;
    return this.#view && isStale ? { ...this.#view, composer: 'unknown' } : this.#view;
  }

  /** Since when it has been at rest without a break; monotonic. */
  get atRestSince(): number | undefined {
    return this.#atRestSince;
  }

  /** For how long it has been at rest without a break, as long as this one has watched (rule 5). */
  get restsMs(): number {
    const now = this.#parts.clock.monotonicMs();
    return now - (this.#atRestSince ?? now);
  }

  /** Since when the screen has stood as it is with a composer that takes a paste; monotonic. */
  get emptySince(): number | undefined {
    return this.view && takesPaste(this.view.composer) ? this.#screen?.at : undefined;
  }

  /** By the last look, whatever was printed since. */
  get lastLook(): Partial<Verdict> {
    return this.#screen ?? {};
  }

  /** Something was printed. */
  output(): void {
    const now = this.#parts.clock.monotonicMs();
    this.#lastOutputAt = now;
    this.#restlessSince ??= now;
    // The daemon was busy, and hears what was printed meanwhile before its timers have their turn:
    // pushed away by each of these, a look came 600 ms after the first output (20 agents, a busy
    // disk).
    if (this.#dueAt <= now) return;
    this.#schedule(Math.min(settleMs, Math.max(0, this.#restlessSince + restlessMs - now)), true);
  }

  /**
   * A backend that does not hear what is printed, and where each look is a request, says that one
   * may be worth while.
   */
  hint(): void {
    const own = this.#ownState ?? (this.#native?.isOwnWord ? this.#native : undefined);
    if (own?.status !== 'waiting' || !this.#hasSeenSince(own.at)) this.output();
  }

  hook(report: Omit<StatusReport, 'at' | 'source'>): void {
    this.#hook = { ...report, source: 'hook', at: this.#parts.clock.monotonicMs() };
    this.#judge();
    this.#followUp();
  }

  ownState(report: Omit<StatusReport, 'at' | 'source'> | undefined): void {
    this.#ownState = report && {
      ...report,
      source: 'state',
      at: this.#parts.clock.monotonicMs(),
    };
    this.#judge();
    this.#followUp();
  }

  /** The backend's own idea, when it changes. Without one, what it said before counts no more. */
  native(native: NativeStatus | undefined): void {
    this.#native = native && {
      status: nativeStatuses[native.status],
      isOwnWord: native.isOwnWord,
      source: 'backend',
      at: this.#parts.clock.monotonicMs(),
    };
    // Before the first look nothing is said of an agent that was found again.
    if (this.#screen || native?.isOwnWord) this.#judge();
    this.#followUp();
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
  }

  /**
   * Whether a look at the question would show what is known; that it is over the CLI says itself,
   * and a look follows.
   */
  #hasSeenSince(askedAt: number): boolean {
    if (!this.#screen || this.#screen.at < askedAt) return false;
    const now = this.#parts.clock.monotonicMs();
    // It may tell of it before it has drawn it; a screen that is still not known then is no
    // question that we know.
    const isDrawn = this.#screen.status === 'waiting' || now - askedAt >= drawnMs;
    return isDrawn && now - this.#screen.at < askedMs;
  }

  /** Output in between makes an earlier look; this one is due all the same. */
  #followUp(): void {
    this.#followUpAt = this.#parts.clock.monotonicMs() + followUpMs;
    this.#schedule(followUpMs);
  }

  get #isBlind(): boolean {
    return this.#blindSince !== undefined;
  }

  /**
   * The earliest wish counts, except that output pushes a look that waits for quiet further away.
   */
  #schedule(inMs: number, replaces = false): void {
    if (this.#isClosed) return;
    const at = this.#parts.clock.monotonicMs() + inMs;
    if (!replaces && at >= this.#dueAt) return;
    this.#dueAt = at;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#look(), inMs);
    this.#timer.unref();
  }

  async #look(): Promise<void> {
    this.#dueAt = Number.POSITIVE_INFINITY;
    // The look under way began before this wish: it is repeated when it is done.
    if (this.#isLooking) return this.#schedule(settleMs);
    this.#isLooking = true;
    const at = this.#parts.clock.monotonicMs();
    try {
      const look = await this.#parts.look();
      if (this.#isClosed) return;
      if (look === 'gone' || !look.isAlive) return this.#parts.onGone();
      const verdict = this.#parts.detect(look);
      this.#blindSince = undefined;
      this.#parts.onLook(look);
      this.#take(verdict, at);
    } catch (error) {
      // Its agent reports and logs it.
      this.#parts.onTrouble(error);
      this.#endureBlindness();
    } finally {
      this.#isLooking = false;
      const wait = this.#followUpAt - this.#parts.clock.monotonicMs();
      if (wait > 0) this.#schedule(wait);
    }
  }

  /**
   * Idle that nobody can see any more is no idle. A lost connection is back within milliseconds as
   * a rule.
   */
  #endureBlindness(): void {
    const now = this.#parts.clock.monotonicMs();
    this.#blindSince ??= now;
    if (now - this.#blindSince >= blindAfterMs) {
      this.#screen = undefined;
      this.#judge();
    }
    this.#schedule(blindRetryMs);
  }

  /**
   * A capture may show half a frame (seen in 4 of 3000 on tmux 3.3a). While the screen is restless,
   * a verdict that would end a turn counts only when two looks in a row say the same.
   */
  #take(verdict: Verdict, at: number): void {
    const isSettled = at - this.#lastOutputAt >= settleMs;
    const endsTurn = !['processing', 'waiting', 'starting'].includes(verdict.status);
    const untilReadyMs = this.#untilReady(verdict, at);
    const isSteady = isSettled || !endsTurn || this.#unconfirmed === verdict.rule;
    const isConfirmed = isSteady && untilReadyMs === 0;
    this.#unconfirmed = verdict.rule;
    this.#restlessSince = isSettled ? undefined : at;
    if (isConfirmed) this.#screen = { ...verdict, at };
    // Of an agent that was found again nothing is said before the first look that counts.
    if (this.#screen) this.#judge();
    if (!isConfirmed) this.#schedule(Math.max(settleMs, untilReadyMs));
    else if (!isSettled && this.#lastOutputAt >= at - settleMs) this.#schedule(settleMs);
    if (this.#view?.status === 'starting') this.#schedule(startingCheckMs);
  }

  /**
   * Before its first question a program may look as if it were ready, and what is typed then would
   * answer that question.
   */
  #untilReady({ rule, status }: Verdict, at: number): number {
    const { readyAfterMs = 0 } = this.#parts;
    if (this.#memory.isReady || readyAfterMs === 0 || !isAtRest(status)) return 0;
    if (this.#firstSeen?.rule !== rule) this.#firstSeen = { rule, at };
    return Math.max(0, this.#firstSeen.at + readyAfterMs - at);
  }

  #judge(): void {
    if (this.#isClosed) return;
    const { clock } = this.#parts;
    const before = this.#view;
    const { view, memory, askAgainAt } = fuse(
      this.#memory,
      {
        ...(this.#ownState ? { ownState: this.#ownState } : {}),
        ...(this.#hook ? { hook: this.#hook } : {}),
        ...(this.#native ? { native: this.#native } : {}),
        ...(this.#screen ? { screen: this.#screen } : {}),
        lastOutputAt: this.#lastOutputAt,
      },
      { wall: clock.now(), monotonicMs: clock.monotonicMs() },
    );
    this.#memory = memory;
    this.#view = view;
    // The screen contradicts the CLI's own word: it is asked again, also where nothing more is
    // printed (rule 44).
    if (askAgainAt !== undefined) {
      this.#schedule(Math.max(settleMs, askAgainAt - clock.monotonicMs()));
    }
    this.#atRestSince = isAtRest(view.status)
      ? (this.#atRestSince ?? clock.monotonicMs())
      : undefined;
    if (before && isSameView(before, view)) return;
    this.#parts.onChange(view);
  }
}

const nativeStatuses = { idle: 'idle', working: 'processing', blocked: 'waiting' } as const;
