import { systemClock } from '../../shared/clock.ts';
import { asObject, type Json } from '../../shared/json.ts';
import { Awaited, confirmMs, OpenQuestions, refused } from '../open-questions.ts';
import type { CliQuestion, Decided, Decision, QuestionChannel } from '../questions.ts';
import type { LiveContext } from '../way-in.ts';
import { joinThreads, type ThreadsSeat } from './join-threads.ts';
import { hasServer } from './native.ts';
import { describeRequest, type ItemEnd, readEnd, writeAnswer } from './question-kinds.ts';
import type { ServerRequest } from './server-requests.ts';

/**
 * What Codex asks its person, as requests of its app-server: every client that follows the thread
 * has them, and the first answer counts (0.166.0). Of the thread that the terminal shows and of its
 * sub-agents alone. The connection is the one of the status.
 */
export function openQuestions(life: LiveContext): QuestionChannel {
  return new ThreadQuestions(life);
}

class ThreadQuestions implements QuestionChannel {
  readonly #life: LiveContext;
  readonly #questions: OpenQuestions<ServerRequest>;
  readonly #watches = new Set<Watch>();
  readonly #news = new Awaited<true>();
  #seat: ThreadsSeat | undefined;
  #isClosed = false;

  constructor(life: LiveContext) {
    this.#life = life;
    this.#questions = new OpenQuestions(() => life.changed());
    this.#join();
  }

  get open(): readonly CliQuestion[] {
    this.#join();
    return this.#questions.list;
  }

  get isBlind(): boolean {
    return this.#isLost || this.#seat?.threads.hasUnplaced === true;
  }

  get #isLost(): boolean {
    this.#join();
    return this.#seat !== undefined && this.#seat.threads.shown === undefined;
  }

  async decide(key: string, decision: Decision, signal: AbortSignal): Promise<Decided> {
    if (this.#isLost) return refused("Codex's app-server is not connected");
    return await this.#questions.decide(key, { decision, signal }, async (request) =>
      this.#answer(request, decision),
    );
  }

  close(): void {
    this.#isClosed = true;
    this.#lose();
    this.#seat?.leave();
    this.#seat = undefined;
    this.#questions.clear();
  }

  async #answer(request: ServerRequest, decision: Decision): Promise<Decided> {
    const watch: Watch = { request };
    this.#watches.add(watch);
    try {
      const { server } = this.#seat?.threads ?? {};
      if (!server?.respond(request.id, writeAnswer(request, decision))) {
        return refused("Codex's app-server is not connected");
      }
      await this.#until(watch, () => watch.isOver === true, confirmMs);
      if (watch.isOver !== true) return unknown(watch);
      // The server says that it is over, not whose answer that was; what became of the item tells.
      // A no ends it at once (0.166.0).
      await this.#until(watch, () => watch.end !== undefined, effectMs);
      return watch.isLost && !watch.end ? lostSight : judge(decision, watch.end);
    } finally {
      this.#watches.delete(watch);
    }
  }

  async #until(watch: Watch, holds: () => boolean, ms: number): Promise<void> {
    const endsAt = systemClock.monotonicMs() + ms;
    while (!holds() && watch.isLost !== true) {
      const left = endsAt - systemClock.monotonicMs();
      if (left <= 0 || !(await this.#news.wait(watch.request.key, left))) return;
    }
  }

  #join(): void {
    if (this.#isClosed || this.#seat) return;
    const context = this.#life.current();
    if (!hasServer(context)) return;
    const look = (): void => this.#look();
    this.#seat = joinThreads(context, {
      shown: look,
      asked: look,
      lost: () => this.#lose(),
      heard: (method, params) => this.#hear(method, params),
    });
    this.#look();
  }

  /** Another thread on the screen takes its questions with it. */
  #look(): void {
    const { threads } = this.#seat ?? {};
    const ours = new Map(threads?.requests.map((request) => [request.key, request]));
    for (const [key, { thread }] of ours) {
      if (threads?.place(thread) === undefined) ours.delete(key);
    }
    this.#questions.closeWhere(({ key }) => !ours.has(key));
    for (const request of ours.values()) {
      const question = describeRequest(request, threads?.place(request.thread) === 'below');
      if (question) this.#questions.add(question, request);
    }
  }

  #hear(method: string, params: Json): void {
    for (const watch of this.#watches) {
      const { id, thread, turn } = watch.request;
      if (method === 'serverRequest/resolved' && params['requestId'] === id) watch.isOver = true;
      if (params['threadId'] !== thread) continue;
      const { id: ended } = asObject(params['turn']);
      if (method === 'turn/completed' && ended === turn) watch.end ??= 'refused';
      if (method === 'item/completed')
        watch.end ??= readEnd(watch.request, asObject(params['item']));
      this.#news.say(watch.request.key, true);
    }
  }

  #lose(): void {
    for (const watch of this.#watches) {
      watch.isLost = true;
      this.#news.say(watch.request.key, true);
    }
    this.#life.changed();
  }
}

/** What is told of a request while a decision about it is on its way. */
interface Watch {
  readonly request: ServerRequest;
  isOver?: true;
  isLost?: true;
  /** A turn that ends with it was broken off at the terminal. */
  end?: ItemEnd | undefined;
}

/** From the word that a request is over to that of what became of its item, when that was a no. */
const effectMs = 500;

function unknown({ isLost }: Watch): Decided {
  const reason = isLost
    ? "Codex's app-server went away"
    : `Codex has not confirmed it within ${confirmMs / 1000} s`;
  return { outcome: 'unknown', reason };
}

const lostSight: Decided = {
  outcome: 'unknown',
  reason: 'the connection to Codex was lost before it said how it was answered',
};

/** An answer of the person at the terminal may have come first. */
function judge(decision: Decision, end: ItemEnd | undefined): Decided {
  if (decision === 'allow') return { outcome: end === 'refused' ? 'gone' : 'taken' };
  if (end !== undefined) return { outcome: end === 'refused' ? 'taken' : 'gone' };
  return { outcome: 'unknown', reason: 'Codex says that it was answered, and not how' };
}
