import type { StatusReport } from '../../agents/status.ts';
import type { HookPayload } from '../../providers/provider.ts';
import type { CliQuestion, Decided, Decision, FindDecision } from '../../providers/questions.ts';
import type { HookReply } from '../../providers/way-in.ts';
import { type Clock, pause } from '../../shared/clock.ts';
import { createSecret } from '../../shared/ids.ts';
import { reportBug } from '../../shared/report-bug.ts';
import { type HeldCall, isSameCall, LateSubjects, toolEnds, turnEnds } from './held-call.ts';
import { isBelow, lives, type Processes } from './held-processes.ts';
import { followTrial, notTaken, refused, returnMs, type Trial, unknown } from './trial.ts';

/** What one poll of it is told: `nothing`, come again. */
export type HeldAnswer =
  | { readonly id: string; readonly reply: HookReply }
  | 'dismissed'
  | 'nothing';

export interface HeldParts extends Processes {
  readonly clock: Clock;
  /** How many people are at its terminal now; undefined where nobody can tell. */
  readonly watchers: () => Promise<number | undefined>;
  /** What will show in the CLI's records that a decision was taken, where anything does. */
  readonly track: ((payload: HookPayload) => Promise<FindDecision | undefined>) | undefined;
  /** A question has come or gone. */
  readonly changed: () => void;
}

/** How often a hook that is held is looked after: one that a CLI left behind must not stay. */
const lookEveryMs = 1000;
/**
 * Between two dialogs a CLI says for a moment that it asks nothing (Claude Code 2.1.325: 0.8 s),
 * and of a question that is new it may not have said anything yet. Meanwhile none is shown.
 */
const betweenMs = 3000;

/** Of one agent: more than a person looks through, and than the daemon would keep for it. */
const mostHeld = 50;
const mostChars = 4 * 1024 * 1024;

interface Held {
  readonly key: string;
  readonly call: HeldCall;
  readonly shown: CliQuestion;
  /** Of the call, in characters. */
  readonly size: number;
  readonly startedAt: string;
  readonly sinceMs: number;
  /** Wall time. */
  readonly since: number;
  poll?: { readonly answer: (answer: HeldAnswer) => void };
  /** Its connection ended then; it may come again. */
  lostAtMs?: number;
  /** The CLI has said of itself that it asks, since. */
  isSeen?: true;
  trial?: Trial;
}

/** Records of the CLI do not tell two calls apart that are alike, so one at a time is decided. */
function isTriedAs({ call }: Held): (other: Held) => boolean {
  return (other) => other.trial !== undefined && other.call.subject === call.subject;
}

/**
 * The questions of one agent that are hooks of its CLI: each is a process that waits, and what it
 * prints is the answer to exactly its own request. It asks us in polls, and survives us; whoever
 * answers at the terminal first makes its answer count for nothing, in some CLIs without a word to
 * the hook (Claude Code 2.1.325: Yes), so everything that shows a question as over closes it here.
 * An answer is printed only after it was confirmed, and a hook that ends without one leaves the
 * dialog to the person (rule 23). It owns the polls and one timer, and dies with `close`, which
 * dismisses nobody: the next daemon is asked again.
 */
export class HeldHooks {
  readonly #parts: HeldParts;
  readonly #held = new Map<string, Held>();
  /** Of decisions whose outcome nobody knows. */
  readonly #unsure = new LateSubjects();
  #watch: AbortController | undefined;
  #asks: boolean | undefined;
  #notAskingSinceMs = 0;

  constructor(parts: HeldParts) {
    this.#parts = parts;
  }

  /** Oldest first. */
  get open(): readonly CliQuestion[] {
    const asked = [...this.#held.values()].filter((held) => !this.#isPassed(held));
    return asked.map(({ shown }) => shown);
  }

  /** Wall time since which a question is held for which the CLI draws no dialog meanwhile. */
  get hiddenSince(): number | undefined {
    const hidden = [...this.#held.values()].filter(({ shown }) => shown.isSubAgents);
    return hidden.length === 0 ? undefined : Math.min(...hidden.map(({ since }) => since));
  }

  /** One poll of a hook; ends with the signal, when its connection does. */
  hold(call: HeldCall, signal: AbortSignal): Promise<HeldAnswer> {
    const startedAt = this.#parts.startOf(call.hook);
    if (signal.aborted) return Promise.resolve('nothing');
    if (startedAt === undefined || !isBelow(this.#parts, call)) return Promise.resolve('dismissed');
    const key = `hook-${call.hook}-${startedAt}`;
    const known = this.#held.get(key);
    if (known && !isSameCall(known.call, call)) {
      // One hook has one request. Whoever shows another one under its number is not it, and which
      // of the two is true nobody can tell: the dialog stays with the person (rule 23).
      this.#close(known, { outcome: 'gone' });
      return Promise.resolve('dismissed');
    }
    const held = known ?? this.#begin(key, call, startedAt);
    if (!held) return Promise.resolve('dismissed');
    return new Promise((done) => {
      const leave = (): void => {
        if (held.poll === mine) {
          delete held.poll;
          held.lostAtMs = this.#now;
        }
        mine.answer('nothing');
      };
      const mine = {
        answer: (answer: HeldAnswer): void => {
          signal.removeEventListener('abort', leave);
          done(answer);
        },
      };
      held.poll?.answer('nothing');
      held.poll = mine;
      delete held.lostAtMs;
      signal.addEventListener('abort', leave, { once: true });
      this.#resume(held);
    });
  }

  /** The client is about to print it. False: it does not count any more, and nothing is printed. */
  confirm(id: string): boolean {
    const held = [...this.#held.values()].find(({ trial }) => trial?.id === id);
    if (held?.trial?.step !== 'handed') return false;
    if (this.#isPassed(held)) {
      this.#close(held, { outcome: 'gone' });
      return false;
    }
    held.trial.step = 'confirmed';
    return true;
  }

  has(key: string): boolean {
    return this.#held.has(key);
  }

  async decide(key: string, decision: Decision, signal: AbortSignal): Promise<Decided> {
    const held = this.#held.get(key);
    if (!held) return { outcome: 'gone' };
    if (!lives(this.#parts, held)) this.#close(held, { outcome: 'gone' });
    if (!this.#held.has(key) || this.#isPassed(held)) return { outcome: 'gone' };
    const busy = refused('somebody is answering it right now');
    const isBusy = (): boolean => [...this.#held.values()].some(isTriedAs(held));
    if (isBusy()) return busy;
    const find = await this.#track(held);
    if (isBusy()) return busy;
    if (!this.#held.has(key)) return { outcome: 'gone' };
    return new Promise((done) => {
      const over = new AbortController();
      const trial: Trial = {
        ...{ decision, reply: held.call.question.reply(decision) },
        ...{ id: createSecret('say'), find, step: 'waits', over },
        done: (decided) => {
          over.abort();
          if (decided.outcome === 'unknown') this.#unsure.note(held.call.subject, this.#now);
          if (held.trial === trial) delete held.trial;
          done(decided);
        },
      };
      held.trial = trial;
      void followTrial(this.#parts.clock, trial, signal).then(
        (outcome) => outcome && this.#close(held, { outcome }),
      );
      this.#hand(held);
    });
  }

  /** A later hook of the same CLI: some of them show that a question is over. */
  note(event: string, { subject, asker }: Pick<HeldCall, 'subject' | 'asker'>): void {
    const isOfTool = toolEnds.has(event);
    // It is also told of text that only waits for its turn.
    if (event === 'UserPromptSubmit' && this.#asks) return;
    for (const held of [...this.#held.values()]) {
      const { call } = held;
      if (call.asker !== asker) continue;
      const isIts = isOfTool ? call.subject === subject : turnEnds.has(event);
      if (isIts) this.#end(held, isOfTool ? 'ran' : 'over');
    }
  }

  /** What the CLI says of itself: while it asks nobody, no question is open. */
  ownState(report: Pick<StatusReport, 'status'> | undefined): void {
    const asks = report && report.status === 'waiting';
    if (asks) for (const held of this.#held.values()) held.isSeen = true;
    if (asks === this.#asks) return;
    this.#asks = asks;
    this.#notAskingSinceMs = this.#now;
    for (const held of [...this.#held.values()]) {
      if (asks === false && held.trial?.step === 'confirmed') this.#end(held, 'over');
    }
    if (this.#held.size > 0) this.#parts.changed();
  }

  close(): void {
    this.#watch?.abort();
    for (const held of this.#held.values()) {
      held.trial?.done(unknown('the daemon stopped watching the agent'));
      held.poll?.answer('nothing');
    }
    this.#held.clear();
  }

  get #now(): number {
    return this.#parts.clock.monotonicMs();
  }

  /** Undefined where so much is held already: the dialog stays with the person (rule 23). */
  #begin(key: string, call: HeldCall, startedAt: string): Held | undefined {
    const size = JSON.stringify(call.payload.body).length;
    const all = [...this.#held.values()].reduce((sum, held) => sum + held.size, size);
    if (this.#held.size >= mostHeld || all > mostChars) return undefined;
    const seen = this.#asks ? { isSeen: true as const } : {};
    const { reply: _, ...question } = call.question;
    const about = { key, call, size, shown: { key, ...question } };
    const since = this.#parts.clock.now();
    const held: Held = { ...about, startedAt, sinceMs: this.#now, since, ...seen };
    this.#held.set(key, held);
    if (!this.#watch) {
      this.#watch = new AbortController();
      void this.#lookAfter(this.#watch.signal);
    }
    this.#parts.changed();
    return held;
  }

  /** A hook that comes again has printed nothing. */
  #resume(held: Held): void {
    if (held.trial?.step === 'confirmed' || held.trial?.step === 'handed') {
      held.trial.done(notTaken);
    }
    this.#hand(held);
  }

  #hand(held: Held): void {
    const { trial, poll } = held;
    if (trial?.step !== 'waits' || !poll) return;
    trial.step = 'handed';
    delete held.poll;
    held.lostAtMs = this.#now;
    poll.answer({ id: trial.id, reply: trial.reply });
  }

  async #track({ call }: Held): Promise<FindDecision | undefined> {
    // What is on record late of one that was just like it would pass for the outcome of this one.
    if (this.#unsure.has(call.subject, this.#now)) return undefined;
    try {
      return await this.#parts.track?.(call.payload);
    } catch (error) {
      // Then nothing shows it but what the CLI does next.
      reportBug('reading what a CLI has on record of a question', error);
      return undefined;
    }
  }

  /** The question is over: by our own answer, where that was printed before; else by another's. */
  #end(held: Held, how: 'ran' | 'over'): void {
    const { trial } = held;
    const isAgainst = how === 'ran' && trial?.decision === 'deny';
    // Whose answer it was the records tell.
    if (trial?.step === 'confirmed' && trial.find && !isAgainst) return;
    if (trial?.step !== 'confirmed' || isAgainst) this.#close(held, { outcome: 'gone' });
    // A tool that ran may have been allowed at the terminal as well, and that a question is over
    // says less: only the records would tell whose answer counted.
    else this.#close(held, unknown('its CLI does not show whose answer it took'));
  }

  #close(held: Held, decided: Decided): void {
    this.#held.delete(held.key);
    held.poll?.answer('dismissed');
    held.trial?.done(decided);
    if (this.#held.size === 0) {
      this.#watch?.abort();
      this.#watch = undefined;
    }
    this.#parts.changed();
  }

  async #lookAfter(signal: AbortSignal): Promise<void> {
    while (await pause(this.#parts.clock, lookEveryMs, signal)) {
      for (const held of [...this.#held.values()]) this.#look(held);
      await this.#leaveToWatchers();
    }
  }

  /** Whoever has come to the terminal is to find the dialogs there. */
  async #leaveToWatchers(): Promise<void> {
    const isBeside = ({ shown, trial }: Held): boolean => shown.isSubAgents === true && !trial;
    if (![...this.#held.values()].some(isBeside)) return;
    if ((await this.#parts.watchers()) === 0) return;
    for (const held of [...this.#held.values()]) {
      if (isBeside(held)) this.#close(held, { outcome: 'gone' });
    }
  }

  #look(held: Held): void {
    if (!lives(this.#parts, held)) {
      // A hook that has printed ends; whether that counted its CLI tells. One that has not was
      // ended by the CLI: a person has answered, or nobody can any more.
      if (held.trial?.step !== 'confirmed') this.#close(held, { outcome: 'gone' });
      return;
    }
    const isAway = held.lostAtMs !== undefined && this.#now - held.lostAtMs >= returnMs;
    if (!held.trial && (isAway || this.#isOver(held))) this.#close(held, { outcome: 'gone' });
  }

  /** The CLI itself says that it asks nobody, which it did before. */
  #isPassed({ isSeen, shown }: Held): boolean {
    return this.#asks === false && isSeen === true && !shown.isSubAgents;
  }

  #isOver({ sinceMs, shown }: Held): boolean {
    if (shown.isSubAgents) return false;
    const since = Math.max(this.#notAskingSinceMs, sinceMs);
    return this.#asks === false && this.#now - since >= betweenMs;
  }
}
