import { existsSync } from 'node:fs';
import { systemClock } from '../../shared/clock.ts';
import type { AgentContext, OwnState, StateWatch } from '../provider.ts';
import { AppServer, appServerSocket, asList, asObject, asText, type Json } from './app-server.ts';
import { hasClient } from './first-client.ts';
import { watchOpenRollout } from './open-rollout.ts';
import {
  chooseThread,
  describeStatus,
  isActive,
  readUserThread,
  type UserThread,
} from './threads.ts';

/**
 * The state of the thread that the agent's terminal shows, from its own app-server: every turn's start and end, also of those
 * that failed or were interrupted, where Codex fires no hook. An agent that was launched without an app-server has no such
 * state; its conversation is learned from the files it holds open.
 *
 * The connection is kept and made again with back-off; while it is lost the screen decides. The very first one waits for the
 * terminal program's: the server takes the name of its first client for the originator of every request to the model
 * (0.166.0), and that must stay Codex's own.
 */
export function watchState(context: AgentContext, report: (state: OwnState) => void): StateWatch {
  const path = appServerSocket(context.runFolder);
  if (!existsSync(path)) return watchOpenRollout(context, report);
  const source = new ThreadState(path, report);
  const age = systemClock.now() - context.startedAt;
  source.start(systemClock.monotonicMs() + introductionMs - Math.max(0, age));
  return { check: () => undefined, close: () => source.close() };
}

/** From its start, until which the terminal program has connected even on a machine that is very busy. */
const introductionMs = 20_000;
const lookMs = 250;
/** From its connection to its first words. */
const greetingMs = 1000;
const firstRetryMs = 250;
const maxRetryMs = 30_000;
const maxDetail = 200;

class ThreadState {
  readonly #path: string;
  readonly #report: (state: OwnState) => void;
  readonly #threads = new Map<string, UserThread | 'hidden'>();
  #server: AppServer | undefined;
  #current: string | undefined;
  #said: string | undefined;
  #timer: NodeJS.Timeout | undefined;
  #retryMs = firstRetryMs;
  #isClosed = false;
  /** Notifications are handled one after the other, since some of them ask back. */
  #work: Promise<void> = Promise.resolve();

  constructor(path: string, report: (state: OwnState) => void) {
    this.#path = path;
    this.#report = report;
  }

  /** At once for a program that is old enough to have introduced itself. */
  start(introducedBy: number): void {
    const isOver = systemClock.monotonicMs() >= introducedBy;
    const hasCome = isOver ? true : hasClient(this.#path);
    if (isOver) this.#schedule(0);
    // Where it cannot be seen, a quick machine is assumed.
    else if (hasCome !== false) this.#schedule(greetingMs);
    else this.#later(lookMs, () => this.start(introducedBy));
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#server?.close();
    this.#server = undefined;
  }

  #schedule(inMs: number): void {
    this.#later(inMs, () => void this.#connect());
  }

  #later(inMs: number, work: () => void): void {
    if (this.#isClosed) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      work();
    }, inMs);
    this.#timer.unref();
  }

  async #connect(): Promise<void> {
    try {
      const server = await AppServer.connect(this.#path, {
        notification: (method, params) => this.#take(method, params),
        closed: () => this.#lose(),
      });
      if (this.#isClosed) return server.close();
      this.#server = server;
      // In line with the notifications, so that what was read first is not told last.
      const survey = this.#work.then(() => this.#survey(server));
      this.#work = survey.catch(() => undefined);
      await survey;
      this.#retryMs = firstRetryMs;
    } catch {
      this.#server?.close();
      this.#lose();
    }
  }

  /** Told by the connection's end and by an attempt that failed: more than once for one loss. */
  #lose(): void {
    this.#server = undefined;
    this.#threads.clear();
    if (this.#isClosed || this.#timer) return;
    this.#say({ report: undefined });
    this.#schedule(this.#retryMs);
    this.#retryMs = Math.min(this.#retryMs * 2, maxRetryMs);
  }

  /** What is true at the moment of connecting; from then on changes are told. */
  async #survey(server: AppServer): Promise<void> {
    const { data } = await server.request('thread/loaded/list', {});
    for (const id of Array.isArray(data) ? data : []) {
      if (typeof id === 'string') await this.#learn(server, id);
    }
    const known = [...this.#threads.values()].filter((thread) => thread !== 'hidden');
    const shown = chooseThread(known);
    if (shown) this.#show(server, shown);
  }

  #take(method: string, params: Json): void {
    const isWanted = method === 'thread/started' || method === 'thread/status/changed';
    if (!isWanted) return;
    this.#work = this.#work
      .then(async () => {
        const server = this.#server;
        if (!server) return;
        if (method === 'thread/started') this.#begin(server, asObject(params['thread']));
        else
          await this.#change(server, asText(params['threadId']) ?? '', asObject(params['status']));
      })
      // The connection was lost under it; that is told by its own event.
      .catch(() => undefined);
  }

  /** A new conversation (/new, /clear) or another one (/resume) is on the screen at once. */
  #begin(server: AppServer, description: Json): void {
    const thread = readUserThread(description);
    const id = asText(description['id']);
    if (id !== undefined) this.#threads.set(id, thread ?? 'hidden');
    if (thread) this.#show(server, thread);
  }

  async #change(server: AppServer, id: string, status: Json): Promise<void> {
    const known = this.#threads.get(id) ?? (await this.#learn(server, id));
    if (known === undefined || known === 'hidden') return;
    const thread = { ...known, status };
    this.#threads.set(id, thread);
    if (id === this.#current || this.#current === undefined || isActive(thread)) {
      this.#show(server, thread);
    }
  }

  async #learn(server: AppServer, id: string): Promise<UserThread | 'hidden' | undefined> {
    const { thread } = await server.request('thread/read', { threadId: id });
    const found = readUserThread(asObject(thread)) ?? 'hidden';
    this.#threads.set(id, found);
    return found;
  }

  #show(server: AppServer, { id, status }: UserThread): void {
    this.#current = id;
    const report = describeStatus(status);
    this.#say({ report, conversation: id });
    if (report?.status === 'error') void this.#explain(server, id, status);
  }

  /** The status is told some 100 ms before the turn's end is in the index that knows why. */
  async #explain(server: AppServer, id: string, status: Json): Promise<void> {
    for (let tries = 0; tries < 20; tries++) {
      const detail = await askFailure(server, id);
      const known = this.#threads.get(id);
      if (this.#isClosed || this.#current !== id || known === undefined || known === 'hidden')
        return;
      if (known.status !== status) return;
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
    if (isNews) this.#report(state);
  }
}

async function askFailure(server: AppServer, threadId: string): Promise<string | undefined> {
  try {
    const { data } = await server.request('thread/turns/list', { threadId, limit: 1 });
    const message = asText(asObject(asList(data)[0]?.['error'])['message']);
    return message?.replace(/\s+/g, ' ').slice(0, maxDetail);
  } catch {
    return undefined;
  }
}
