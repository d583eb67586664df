import { systemClock } from '../../shared/clock.ts';
import { openFile } from '../../shared/open-file.ts';
import { reportBug } from '../../shared/report-bug.ts';
import type { AgentContext, OwnState, StateWatch } from '../provider.ts';
import { codeOf } from '../record-files.ts';
import { openTurnWatch } from '../turn-watch.ts';
import { type BegunSession, findWire, kimiHome, readBegun, sessionIndex } from './session-files.ts';
import { createTurnFold } from './turns.ts';

/**
 * Kimi Code tells no state, but its file tells turn ends, and which conversation an agent is in
 * must be known for that, to resume it, and to read its answer. Hooks tell it, where it has them;
 * nothing else of 2.1.0 links a process to its session. It begins one with the first message (and
 * with /new), adds it to an index and draws its id. So a session that was begun in our folder while
 * exactly one of our Kimis there was drawing is that one's; when two were, it is nobody's: an agent
 * without a known conversation is better than one with another's.
 */
export function watchState(context: AgentContext, report: (state: OwnState) => void): StateWatch {
  const turns = openTurnWatch({
    locate: (conversation) => findWire(kimiHome(context.env), conversation),
    createFold: createTurnFold,
    since: context.startedAt,
    conversation: context.conversation,
    report,
  });
  const watch = new SessionWatch(context, (state) => {
    if (state.conversation !== undefined) turns.follow(state.conversation);
    report(state);
  });
  watches.add(watch);
  watch.look();
  return {
    check: () => {
      watch.noticeOutput();
      turns.check();
    },
    follow: (conversation) => {
      watch.learn(conversation);
      turns.follow(conversation);
    },
    close: () => {
      watches.delete(watch);
      watch.close();
      turns.close();
    },
  };
}

/** All of this process. */
const watches = new Set<SessionWatch>();

/** Output comes in bursts, and the index is written just before the id is drawn. */
const burstMs = 200;
/** Between a session's beginning and the drawing of its id, on a busy machine. */
const drawnWithinMs = 2000;
/** Of output that is remembered: a session may be found late. */
const rememberedMs = 60_000;
/** Of the index, from its end: some thousand sessions. */
const maxBytes = 1024 * 1024;
/** How often a session whose own file is not there yet is looked at again. */
const mostTries = 20;

class SessionWatch {
  readonly #context: AgentContext;
  readonly #home: string;
  readonly #report: (state: OwnState) => void;
  #conversation: string | undefined;
  /** When something was drawn, at most one per burst. */
  #outputs: number[] = [];
  /** Lines of the index that are to be judged, with the number of vain tries. */
  readonly #open = new Map<string, number>();
  #offset = 0;
  #timer: NodeJS.Timeout | undefined;
  #isLooking = false;
  #isLookDue = false;
  #isClosed = false;

  constructor(context: AgentContext, report: (state: OwnState) => void) {
    this.#context = context;
    this.#home = kimiHome(context.env);
    this.#report = report;
    this.#conversation = context.conversation;
  }

  /** By a hook of the very process. */
  learn(conversation: string): void {
    this.#conversation = conversation;
  }

  noticeOutput(): void {
    const now = systemClock.now();
    const isSameBurst = now - (this.#outputs.at(-1) ?? 0) < burstMs;
    if (!isSameBurst) {
      this.#outputs = [...this.#outputs.filter((at) => now - at < rememberedMs), now];
    }
    if (this.#isClosed || this.#timer) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.look();
    }, burstMs);
    this.#timer.unref();
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
  }

  look(): void {
    // One at a time, and one more after it: this one may have read too early.
    if (this.#isLooking) this.#isLookDue = true;
    if (this.#isLooking) return;
    this.#isLooking = true;
    this.#readNew()
      // Not there before the first session ever, or being written: the next output looks again.
      .catch((error) => reportBug("finding Kimi's conversation", error))
      .finally(() => {
        this.#isLooking = false;
        const isDue = this.#isLookDue && !this.#isClosed;
        this.#isLookDue = false;
        if (isDue) this.look();
      });
  }

  async #readNew(): Promise<void> {
    for (const line of await this.#newLines()) this.#open.set(line, 0);
    for (const [line, tries] of this.#open) {
      // A line that we fail at costs itself: those behind it are judged.
      await this.#judge(line, tries).catch((error: unknown) => {
        // What cannot be read now is read at the next output (rule 41).
        if (codeOf(error) !== undefined) return;
        this.#open.delete(line);
        reportBug('judging a session of Kimi', error);
      });
    }
  }

  async #judge(line: string, tries: number): Promise<void> {
    const begun = await readBegun(line);
    const createdAt = begun?.createdAt;
    if (begun && createdAt === undefined && tries < mostTries) this.#open.set(line, tries + 1);
    else this.#open.delete(line);
    if (!begun || createdAt === undefined || this.#isClosed) return;
    if (this.#isOurs({ ...begun, createdAt })) this.#take(begun.id);
  }

  async #newLines(): Promise<readonly string[]> {
    const file = await openFile(sessionIndex(this.#home));
    try {
      const { size } = await file.stat();
      // A shorter one was written anew.
      const start = Math.max(size < this.#offset ? 0 : this.#offset, size - maxBytes);
      const bytes = Buffer.alloc(size - start);
      const { bytesRead } = await file.read(bytes, 0, bytes.length, start);
      const whole = bytes.subarray(0, bytesRead).lastIndexOf(10) + 1;
      this.#offset = start + whole;
      return bytes.toString('utf8', 0, whole).split('\n').filter(Boolean);
    } finally {
      await file.close();
    }
  }

  #isOurs({ id, cwd, createdAt }: BegunSession): boolean {
    if (cwd !== this.#context.cwd || createdAt < this.#context.startedAt) return false;
    const others = [...watches].filter((watch) => watch !== this && watch.#isBeside(this));
    if (others.some((watch) => watch.#conversation === id)) return false;
    return this.#wasDrawing(createdAt) && !others.some((watch) => watch.#wasDrawing(createdAt));
  }

  #isBeside(other: SessionWatch): boolean {
    return this.#home === other.#home && this.#context.cwd === other.#context.cwd;
  }

  #wasDrawing(at: number): boolean {
    return this.#outputs.some((drawn) => Math.abs(drawn - at) <= drawnWithinMs);
  }

  #take(conversation: string): void {
    if (conversation === this.#conversation) return;
    this.#conversation = conversation;
    this.#report({ report: undefined, conversation });
  }
}
