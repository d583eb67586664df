import { open } from 'node:fs/promises';
import { systemClock } from '../../shared/clock.ts';
import type { AgentContext, OwnState, StateWatch } from '../provider.ts';
import { type BegunSession, kimiHome, readBegun, sessionIndex } from './session-files.ts';

/**
 * Kimi Code tells no state; but which conversation an agent is in must be known to resume it and to read its answer, and
 * nothing of 2.1.0 links a process to its session. It begins one with the first message (and with /new), adds it to an index
 * and draws its id. So a session that was begun in our folder while exactly one of our Kimis there was drawing is that one's;
 * when two were, it is nobody's: an agent without a known conversation is better than one with another's.
 */
export function watchState(context: AgentContext, report: (state: OwnState) => void): StateWatch {
  const watch = new SessionWatch(context, report);
  watches.add(watch);
  watch.look();
  return {
    check: () => watch.noticeOutput(),
    close: () => {
      watches.delete(watch);
      watch.close();
    },
  };
}

/** All of this process. */
const watches = new Set<SessionWatch>();

/** Output comes in bursts, and the index is written just before the id is drawn. */
const burstMs = 200;
/** Between a session's beginning and the drawing of its id, on a busy machine. */
const drawnWithinMs = 2000;
/** Of the index, from its end: some thousand sessions. */
const maxBytes = 1024 * 1024;

class SessionWatch {
  readonly #context: AgentContext;
  readonly #home: string;
  readonly #report: (state: OwnState) => void;
  #conversation: string | undefined;
  #outputAt = 0;
  #offset = 0;
  #timer: NodeJS.Timeout | undefined;
  #isLooking = false;
  #isClosed = false;

  constructor(context: AgentContext, report: (state: OwnState) => void) {
    this.#context = context;
    this.#home = kimiHome(context.env);
    this.#report = report;
    this.#conversation = context.conversation;
  }

  noticeOutput(): void {
    this.#outputAt = systemClock.now();
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
    if (this.#isLooking) return;
    this.#isLooking = true;
    this.#readNew()
      // Not there before the first session ever, or being written: the next output looks again.
      .catch(() => undefined)
      .finally(() => {
        this.#isLooking = false;
      });
  }

  async #readNew(): Promise<void> {
    for (const line of await this.#newLines()) {
      const begun = await readBegun(line);
      if (begun && !this.#isClosed && this.#isOurs(begun)) this.#take(begun.id);
    }
  }

  async #newLines(): Promise<readonly string[]> {
    const file = await open(sessionIndex(this.#home), 'r');
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
    return Math.abs(this.#outputAt - at) <= drawnWithinMs;
  }

  #take(conversation: string): void {
    if (conversation === this.#conversation) return;
    this.#conversation = conversation;
    this.#report({ report: undefined, conversation });
  }
}
