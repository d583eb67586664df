import { systemClock } from '../../shared/clock.ts';
import { asArray, asObject, asText, type Json } from '../../shared/json.ts';
import { reportBug } from '../../shared/report-bug.ts';
import { describeFailure } from '../failure-detail.ts';
import type { AgentContext, OwnState, StateWatch } from '../provider.ts';
import type { TurnNews } from '../way-in.ts';
import type { AppServer } from './app-server.ts';
import { joinThreads, type ThreadsSeat } from './join-threads.ts';
import { hasServer } from './native.ts';
import { watchOpenRollout } from './open-rollout.ts';
import { describeStatus, type UserThread } from './threads.ts';
import { TurnEnds } from './turn-ends.ts';

/**
 * The state of the thread that the agent's terminal shows, from its own app-server, and every
 * turn's end, also of those that failed or were interrupted, where Codex fires no hook (0.166.0;
 * and after a restart of its server it fires none at all). An agent that was launched without an
 * app-server has no such state; its conversation is learned from the files it holds open. While the
 * server is lost the screen decides.
 */
export function watchState(context: AgentContext, report: (state: OwnState) => void): StateWatch {
  if (!hasServer(context)) return watchOpenRollout(context, report);
  const state = new ThreadState(context, report);
  return {
    check: () => undefined,
    isBehind: () => state.isBehind,
    close: () => state.close(),
  };
}

class ThreadState {
  readonly #report: (state: OwnState) => void;
  /**
   * Where a turn may have ended before this watch: the conversation that was last on the screen,
   * and those that hold tasks.
   */
  readonly #before: Set<string>;
  readonly #seat: ThreadsSeat;
  readonly #ends: TurnEnds;
  #last: OwnState = { report: undefined };
  #said: string | undefined;
  #isFollowing = false;
  #isClosed = false;

  constructor(context: AgentContext, report: (state: OwnState) => void) {
    this.#report = report;
    const { conversation, owedReceipts = [] } = context;
    const owed = owedReceipts.map((receipt) => receipt.slice(0, receipt.indexOf('/')));
    this.#before = new Set([...owed, ...(conversation === undefined ? [] : [conversation])]);
    this.#ends = new TurnEnds(context, (turnEnd) => this.#end(turnEnd));
    this.#seat = joinThreads(context, {
      shown: (thread) => this.#show(thread),
      lost: () => {
        this.#isFollowing = false;
        this.#say({ report: undefined });
      },
      followed: (server, id) => {
        this.#isFollowing = true;
        this.#ends.catchUp(server, id);
      },
      notified: (method, id, params) => {
        if (method === 'turn/completed') this.#ends.take(id, asObject(params['turn']));
      },
    });
  }

  get isBehind(): boolean {
    return !this.#isFollowing || this.#ends.isBusy;
  }

  close(): void {
    this.#isClosed = true;
    this.#ends.close();
    this.#seat.leave();
  }

  #show({ id, status }: UserThread): void {
    const report = describeStatus(status);
    this.#say({ report, conversation: id });
    const { server } = this.#seat.threads;
    for (const left of server ? this.#before : []) {
      if (server && left !== id) this.#ends.catchUp(server, left);
      this.#before.delete(left);
    }
    if (report?.status === 'error' && server) void this.#explain(server, id, status);
  }

  /** The status is told some 100 ms before the turn's end is in the index that knows why. */
  async #explain(server: AppServer, id: string, status: Json): Promise<void> {
    for (let tries = 0; tries < 20; tries++) {
      const detail = await askFailure(server, id);
      const { shown } = this.#seat.threads;
      if (this.#isClosed || shown?.id !== id || shown.status !== status) return;
      if (detail !== undefined) {
        this.#say({ report: { status: 'error', detail }, conversation: id });
        return;
      }
      await systemClock.sleep(100);
    }
  }

  #say(state: OwnState): void {
    const text = JSON.stringify(state);
    if (this.#isClosed || text === this.#said) return;
    // Nothing is lost that was never found.
    const isNews = this.#said !== undefined || state.conversation !== undefined;
    this.#said = text;
    this.#last = state;
    if (isNews) this.#report(state);
  }

  #end(turnEnd: TurnNews): void {
    if (!this.#isClosed) this.#report({ ...this.#last, turnEnd });
  }
}

async function askFailure(server: AppServer, threadId: string): Promise<string | undefined> {
  try {
    const { data } = await server.request('thread/turns/list', { threadId, limit: 1 });
    const message = asText(asObject(asObject(asArray(data)[0])['error'])['message']);
    return message === undefined ? undefined : describeFailure(message);
  } catch (error) {
    reportBug('asking Codex why a turn failed', error);
    return undefined;
  }
}
