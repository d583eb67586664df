import { dirname } from 'node:path';
import { systemClock } from '../../shared/clock.ts';
import { codeOf } from '../record-files.ts';
import { doubtForm } from '../record-form.ts';
import { FolderWatch } from '../watch-folder.ts';
import type { AttemptTrace, Evidence, Finding, LiveContext } from '../way-in.ts';
import { joinThreads, type ThreadsSeat } from './join-threads.ts';
import { hasServer, readReceipt } from './native.ts';
import { askQueue, type QueueAnswer } from './queue.ts';
import { findRollouts } from './rollout.ts';
import { RolloutReader } from './rollout-reader.ts';

/**
 * What was read is proven by the rollout (judge-rollout.ts), what waits by the queue itself.
 * Between the two there is a moment in which a message is in neither: it is taken from the queue
 * before it is written. So one that is in neither is proven absent only when its thread has rested
 * all the while between two looks.
 */
export function openEvidence(life: LiveContext): Evidence {
  return new RolloutEvidence(life);
}

/** From the queue to the rollout it takes some 40 ms (0.166.0). */
const restMs = 2000;

class RolloutEvidence implements Evidence {
  readonly #life: LiveContext;
  readonly #readers = new Map<string, RolloutReader>();
  readonly #watch: FolderWatch;
  /** Marks that were in neither place, and since when nothing has moved. */
  readonly #missing = new Map<string, number>();
  /** Threads whose rollouts could not be looked for. */
  readonly #unsearched = new Set<string>();
  /** Why "in no rollout" would mean nothing in the look that is under way (rule 41). */
  #doubt: string | undefined;
  #seat: ThreadsSeat | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isAwaiting = false;
  #isClosed = false;
  #work: Promise<unknown> = Promise.resolve();

  constructor(life: LiveContext) {
    this.#life = life;
    this.#watch = new FolderWatch({
      onChange: () => this.#notice(),
      isOurs: (name) => name.startsWith('rollout-'),
    });
    this.#join();
  }

  /** One call after the other: a file has one reader at a time. */
  async judge(attempts: readonly AttemptTrace[]): Promise<readonly Finding[]> {
    const judging = this.#work.then(() => this.#judgeAll(attempts));
    // Its caller gets the error; the next one only waits for the end.
    this.#work = judging.catch(() => undefined);
    return await judging;
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#watch.close();
    this.#seat?.leave();
    this.#seat = undefined;
  }

  async #judgeAll(attempts: readonly AttemptTrace[]): Promise<readonly Finding[]> {
    this.#join();
    const findings: Finding[] = [];
    for (const attempt of attempts) {
      const finding = await this.#judge(attempt);
      const isForeign = this.#threadsOf(attempt).some((id) => this.#readers.get(id)?.isForeign);
      findings.push(isForeign ? doubtForm(finding, this.#life.current().version) : finding);
    }
    this.#isAwaiting = findings.some(({ found }) => found !== 'seen' && found !== 'absent');
    const path = this.#readers.get(this.#life.current().conversation ?? '')?.path;
    this.#watch.follow(this.#isAwaiting && path !== undefined ? dirname(path) : undefined);
    return findings;
  }

  async #judge(attempt: AttemptTrace): Promise<Finding> {
    const { mark, route } = attempt;
    if (route !== 'native') {
      return { found: 'unknown', evidence: `there is no rule of evidence for ${route} in Codex` };
    }
    this.#doubt = undefined;
    const threads = this.#threadsOf(attempt);
    const read = await this.#searchRollouts(threads, mark);
    if (read) return this.#settle(mark, read);
    const queue = await this.#searchQueues(threads, attempt);
    if (queue.at === 'waiting') {
      const evidence = `queued submission ${queue.submission} of thread ${queue.thread}`;
      return this.#settle(mark, this.#place({ found: 'held', evidence }, queue.thread));
    }
    // It may have gone from the one to the other between the two looks.
    const late = await this.#searchRollouts(threads, mark);
    return late ? this.#settle(mark, late) : this.#miss(attempt, threads, queue);
  }

  /** Where it was put, if that is on record; else wherever this agent's life was. */
  #threadsOf({ receipt, conversation }: AttemptTrace): readonly string[] {
    const ids = [
      readReceipt(receipt)?.thread,
      conversation,
      this.#life.current().conversation,
      this.#seat?.threads.shown?.id,
    ];
    return [...new Set(ids)].filter((id) => id !== undefined);
  }

  /**
   * Seen in one of them beats landed in another, and what can still be read beats what was left: a
   * fork holds it, too.
   */
  async #searchRollouts(threads: readonly string[], mark: string): Promise<Finding | undefined> {
    const findings: Finding[] = [];
    for (const thread of threads) {
      const reader = await this.#read(thread);
      if (!reader.isWhole) this.#doubt = 'a part could not be read';
      const finding = reader.find(mark);
      if (finding) findings.push(this.#place(finding, thread));
    }
    const isSeen = ({ found }: Finding): boolean => found === 'seen';
    return findings.find(isSeen) ?? findings.find(({ isLeft }) => !isLeft) ?? findings[0];
  }

  /** What can still be read is left with its conversation (rule 42). */
  #place(finding: Finding, thread: string): Finding {
    const isOpen = finding.found === 'held' || finding.found === 'landed';
    if (!isOpen || !this.#seat?.threads.isLeft(thread)) return finding;
    const evidence = `${finding.evidence}; the terminal does not show that conversation any more`;
    return { ...finding, evidence, isLeft: true };
  }

  /**
   * The server knows where it is before it exists, and that another one is written after a person
   * went back.
   */
  async #read(thread: string): Promise<RolloutReader> {
    // Files are read in their order: what was begun without all of them is begun again.
    const known = this.#unsearched.has(thread) ? undefined : this.#readers.get(thread);
    const reader = known ?? new RolloutReader();
    this.#readers.set(thread, reader);
    const told = this.#seat?.threads.find(thread)?.path;
    if (told === undefined || !reader.knows(told)) {
      reader.add(await this.#search(thread, told !== undefined), 'found');
      if (told !== undefined) reader.add([told], 'told');
    }
    await reader.read();
    return reader;
  }

  async #search(thread: string, isToldOf: boolean): Promise<readonly string[]> {
    const { env } = this.#life.current();
    this.#unsearched.add(thread);
    try {
      const found = await findRollouts(env, thread);
      // Looked for in another place than the one where it wrote, nothing is found, and that proves
      // nothing.
      if (isToldOf || found.length > 0 || Object.keys(env).length > 0) {
        this.#unsearched.delete(thread);
      } else this.#doubt = 'nobody knows where they lie';
      return found;
    } catch (error) {
      const code = codeOf(error);
      if (code === undefined) throw error;
      this.#doubt = `they cannot be looked for (${code})`;
      return [];
    }
  }

  /** The queues of threads that are not loaded can be asked as well. */
  async #searchQueues(threads: readonly string[], attempt: AttemptTrace): Promise<QueueAnswer> {
    const server = this.#seat?.threads.server;
    if (!server || threads.length === 0) return { at: 'unasked' };
    let all: QueueAnswer = { at: 'resting' };
    for (const thread of threads) {
      const answer = await askQueue(server, thread, attempt.mark);
      if (answer.at === 'waiting') return answer;
      // One that ended before its first prompt left no rollout: it cannot be resumed, nor its
      // queue.
      const isOver = answer.at === 'nowhere' && !attempt.isAlive && !this.#hasRollout(thread);
      if (answer.at !== 'resting' && !isOver) all = answer;
    }
    return all;
  }

  /** True, too, while that cannot be told. */
  #hasRollout(thread: string): boolean {
    return this.#unsearched.has(thread) || (this.#readers.get(thread)?.hasRead ?? false);
  }

  #miss(attempt: AttemptTrace, threads: readonly string[], queue: QueueAnswer): Finding {
    const { mark } = attempt;
    const names = `in no rollout of ${threads.join(', ') || 'any conversation'}`;
    if (queue.at !== 'resting') {
      this.#missing.delete(mark);
      if (!this.#seat) {
        return {
          found: 'unknown',
          evidence: `${names}; without its app-server its queue is closed`,
        };
      }
      if (queue.at === 'moving') return { found: 'none', evidence: `${names}; a turn runs` };
      const evidence = `${names}; its app-server cannot be asked now`;
      return { found: 'none', evidence, isUnasked: true };
    }
    if (this.#doubt !== undefined) {
      this.#missing.delete(mark);
      return { found: 'unknown', evidence: `${names}: ${this.#doubt}` };
    }
    const now = systemClock.monotonicMs();
    const since = this.#missing.get(mark) ?? now;
    this.#missing.set(mark, since);
    const evidence = `${names}, not in its queue, and its thread rests`;
    if (now - since >= restMs) return { found: 'absent', evidence };
    this.#lookAgain(restMs - (now - since));
    return { found: 'none', evidence };
  }

  #settle(mark: string, finding: Finding): Finding {
    this.#missing.delete(mark);
    return finding;
  }

  #lookAgain(inMs: number): void {
    clearTimeout(this.#timer);
    if (this.#isClosed) return;
    this.#timer = setTimeout(() => this.#life.changed(), inMs);
    this.#timer.unref();
  }

  #join(): void {
    if (this.#isClosed || this.#seat) return;
    const context = this.#life.current();
    if (!hasServer(context)) return;
    this.#seat = joinThreads(context, {
      shown: () => this.#move(),
      lost: () => this.#move(),
      notified: () => this.#move(),
    });
  }

  /** Whatever happened: what was missing may be on its way. */
  #move(): void {
    this.#missing.clear();
    this.#notice();
  }

  #notice(): void {
    if (this.#isAwaiting && !this.#isClosed) this.#life.changed();
  }
}
