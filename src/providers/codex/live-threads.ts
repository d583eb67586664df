import { asArray, asObject, asText, type Json } from '../../shared/json.ts';
import { reportBug } from '../../shared/report-bug.ts';
import { Ancestry } from './ancestry.ts';
import { type AppServer, RequestFailure } from './app-server.ts';
import { ServerLink } from './link.ts';
import { lacksQueue } from './queue.ts';
import { fileChange, type ServerRequest, ServerRequests } from './server-requests.ts';
import { chooseThread, isActive, isAfter, readUserThread, type UserThread } from './threads.ts';
import { UnreadThreads } from './unread-threads.ts';

export interface ThreadsListener {
  /** The thread on the screen: it is another one, or its status was told. */
  readonly shown?: (thread: UserThread) => void;
  /** The server is gone; told more than once. */
  readonly lost?: () => void;
  /** The server has said that it knows no queue. */
  readonly queueless?: () => void;
  /** From now on the turns of this thread are told; what ended before must be looked up. */
  readonly followed?: (server: AppServer, threadId: string) => void;
  /** Of threads that a person talks to; turns and items only of followed ones. */
  readonly notified?: (method: string, threadId: string, params: Json) => void;
  /** A request of the server's is open, or no longer. */
  readonly asked?: () => void;
  /** All that is told, of sub-agents' threads as well. */
  readonly heard?: (method: string, params: Json) => void;
}

/**
 * Knows which thread the terminal shows, and follows it: a client that has resumed a loaded thread
 * gets its turns and items, which disturbs neither the terminal program nor the queue (seen on
 * 0.166.0). Only loaded threads are resumed: resuming another one would load it and start its
 * queue.
 */
export class LiveThreads {
  readonly #link: ServerLink;
  readonly #listeners = new Set<ThreadsListener>();
  readonly #threads = new Map<string, UserThread | 'hidden'>();
  readonly #followed = new Map<string, 'asked' | 'followed'>();
  readonly #ancestry = new Ancestry();
  readonly #unread = new UnreadThreads((id) => this.#readAgain(id));
  readonly #requests = new ServerRequests(() => this.#tell((listener) => listener.asked?.()));
  /** Threads that we have resumed ourselves, whose goal is about to be told. */
  readonly #ownResumes = new Set<string>();
  #current: string | undefined;
  /**
   * More than one thread was loaded when we connected, and nothing told yet which of them the
   * terminal shows.
   */
  #isGuess = false;
  /** Undefined until a server has answered; none is asked twice. */
  #lacksQueue: boolean | 'asked' | undefined;

  constructor(path: string, startedAt: number) {
    this.#link = new ServerLink(path, {
      opened: (server) => this.#survey(server),
      notified: (server, method, params) => this.#take(server, method, params),
      asked: (server, request) => this.#ask(server, request),
      lost: () => this.#lose(),
    });
    this.#link.start(startedAt);
  }

  get server(): AppServer | undefined {
    return this.#link.server;
  }

  /** Why there is no server. */
  get trouble(): string | undefined {
    return this.#link.trouble;
  }

  /** Undefined until it is known, and while the server is gone. */
  get shown(): UserThread | undefined {
    return this.#link.server && this.find(this.#current ?? '');
  }

  /** The server has said that it knows no queue. */
  get lacksQueue(): boolean {
    return this.#lacksQueue === true;
  }

  /** The terminal has left this thread: it shows another one, for certain. */
  isLeft(id: string): boolean {
    const { shown } = this;
    return shown !== undefined && !this.#isGuess && shown.id !== id;
  }

  /** What the server waits for, of all threads; none while it is gone: it tells them again. */
  get requests(): readonly ServerRequest[] {
    return this.#requests.open;
  }

  /** A request waits of a thread that could not be read: nobody knows yet for whom that works. */
  get hasUnplaced(): boolean {
    return this.requests.some(({ thread }) => this.#unread.has(thread));
  }

  /** Whether it is the thread on the screen, or works for it. */
  place(id: string): 'same' | 'below' | undefined {
    const { shown } = this;
    return shown && this.#ancestry.place(id, shown.id);
  }

  find(id: string): UserThread | undefined {
    const thread = this.#threads.get(id);
    return thread === 'hidden' ? undefined : thread;
  }

  /** Whoever comes late is told what the others know, soon. */
  seat(listener: ThreadsListener): void {
    this.#listeners.add(listener);
    queueMicrotask(() => {
      const { server, shown } = this;
      if (!server || !shown || !this.#listeners.has(listener)) return;
      listener.shown?.(shown);
      for (const [id, how] of this.#followed) {
        if (how === 'followed') listener.followed?.(server, id);
      }
    });
  }

  /** How many are left. */
  unseat(listener: ThreadsListener): number {
    this.#listeners.delete(listener);
    return this.#listeners.size;
  }

  close(): void {
    this.#unread.clear();
    this.#link.close();
  }

  #lose(): void {
    this.#unread.clear();
    this.#threads.clear();
    this.#ancestry.clear();
    this.#followed.clear();
    this.#ownResumes.clear();
    // Of a new server's threads the terminal program loads the one that it shows, and nothing but
    // its status is told.
    this.#current = undefined;
    this.#tell((listener) => listener.lost?.());
    this.#requests.clear();
  }

  /** A sub-agent's thread may not have been told of yet. */
  async #ask(server: AppServer, request: Parameters<ServerRequests['take']>[0]): Promise<void> {
    const thread = asText(request.params['threadId']);
    if (this.#requests.isOpen(request.id)) return;
    if (thread !== undefined && !this.#threads.has(thread)) {
      // It is open all the same.
      await this.#learn(server, thread).catch((error) => this.#doubt(server, thread, error));
    }
    const isUnknown = !this.#requests.knowsChanges(request.params['itemId']);
    if (request.method === fileChange && thread !== undefined && isUnknown) {
      await this.#askForItems(server, thread);
    }
    if (this.#link.server === server) this.#requests.take(request);
  }

  /** What is true at the moment of connecting; from then on changes are told. */
  async #survey(server: AppServer): Promise<void> {
    const { data } = await server.request('thread/loaded/list', {});
    for (const id of asArray(data)) {
      if (typeof id === 'string') await this.#tryToLearn(server, id);
    }
    this.#choose(server);
  }

  #choose(server: AppServer): void {
    const known = [...this.#threads.values()].filter((thread) => thread !== 'hidden');
    const shown = chooseThread(known);
    if (!shown) return;
    this.#show(server, shown);
    this.#isGuess = known.some((thread) => thread !== shown && !isAfter(shown, thread));
  }

  async #take(server: AppServer, method: string, params: Json): Promise<void> {
    const id = asText(params['threadId']) ?? '';
    if (method === 'thread/started') this.#begin(server, asObject(params['thread']));
    else if (method === 'thread/status/changed') {
      await this.#change(server, id, asObject(params['status']));
    }
    // A thread that is loaded already is shown again (/resume): of that nothing else is told to
    // others (0.166.0).
    else if (method.startsWith('thread/goal/')) await this.#comeBack(server, id);
    // A person went back in it: from now on another file is written.
    else if (method === 'thread/reverted') await this.#tryToLearn(server, id);
    this.#requests.notice(method, params);
    this.#tell((listener) => listener.heard?.(method, params));
    if (this.find(id)) this.#tell((listener) => listener.notified?.(method, id, params));
    if (method === 'turn/completed') this.#release(server);
  }

  /** A new conversation (/new, /clear) or another one (/resume) is on the screen at once. */
  #begin(server: AppServer, description: Json): void {
    const thread = readUserThread(description);
    const id = asText(description['id']);
    if (id !== undefined) this.#threads.set(id, thread ?? 'hidden');
    if (id !== undefined) this.#ancestry.note(id, description);
    if (thread) this.#show(server, thread);
  }

  async #change(server: AppServer, id: string, status: Json): Promise<void> {
    const known = this.#threads.get(id) ?? (await this.#tryToLearn(server, id));
    if (known === undefined || known === 'hidden') return;
    const thread = { ...known, status };
    this.#threads.set(id, thread);
    if (id === this.#current || this.#current === undefined || isActive(thread)) {
      this.#show(server, thread);
    }
  }

  /** The goal is told whenever somebody resumes a thread, us included. */
  async #comeBack(server: AppServer, id: string): Promise<void> {
    if (this.#ownResumes.delete(id) || id === this.#current) return;
    const thread = this.#threads.get(id) ?? (await this.#tryToLearn(server, id));
    if (thread !== undefined && thread !== 'hidden') this.#show(server, thread);
  }

  /** Of the turn that runs: its items are on no other list until they have ended (0.166.0). */
  async #askForItems(server: AppServer, threadId: string): Promise<void> {
    this.#ownResumes.add(threadId);
    const initialTurnsPage = { limit: 1, itemsView: 'full' };
    const asked = { threadId, excludeTurns: true, initialTurnsPage };
    try {
      const answer = await server.request('thread/resume', asked);
      const [turn] = asArray(asObject(answer['initialTurnsPage'])['data']);
      for (const item of asArray(asObject(turn)['items'])) this.#requests.learn(asObject(item));
    } catch (error) {
      // The question is told all the same, and cannot be allowed from here.
      reportBug('asking Codex what it would change', error);
      this.#ownResumes.delete(threadId);
    }
  }

  async #learn(server: AppServer, id: string): Promise<UserThread | 'hidden'> {
    const { thread } = await server.request('thread/read', { threadId: id });
    const found = readUserThread(asObject(thread)) ?? 'hidden';
    this.#threads.set(id, found);
    this.#unread.delete(id);
    this.#ancestry.note(id, asObject(thread));
    return found;
  }

  /**
   * One thread that the server does not describe is that one's trouble alone: what is known stays.
   */
  async #tryToLearn(server: AppServer, id: string): Promise<UserThread | 'hidden' | undefined> {
    try {
      return await this.#learn(server, id);
    } catch (error) {
      if (!(error instanceof RequestFailure) || error.kind !== 'refused') throw error;
      this.#doubt(server, id, error);
      return this.#threads.get(id);
    }
  }

  #doubt(server: AppServer, id: string, error: unknown): void {
    reportBug('reading a thread of Codex', error);
    if (this.#link.server === server) this.#unread.add(id);
  }

  async #readAgain(id: string): Promise<void> {
    const { server } = this.#link;
    if (!server) return;
    const thread = await this.#learn(server, id);
    if (this.#current === undefined) this.#choose(server);
    else if (thread !== 'hidden' && isActive(thread)) this.#show(server, thread);
    this.#tell((listener) => listener.asked?.());
  }

  #show(server: AppServer, thread: UserThread): void {
    const isOther = thread.id !== this.#current;
    this.#current = thread.id;
    this.#isGuess = false;
    this.#tell((listener) => listener.shown?.(thread));
    void this.#follow(server, thread.id);
    if (isOther) this.#release(server);
    void this.#askForQueue(server, thread.id);
  }

  /** A newer version may have none, whatever the number of this one promises. */
  async #askForQueue(server: AppServer, id: string): Promise<void> {
    if (this.#lacksQueue !== undefined) return;
    this.#lacksQueue = 'asked';
    this.#lacksQueue = await lacksQueue(server, id).catch((error: unknown) => {
      reportBug('asking Codex for its queue', error);
      return undefined;
    });
    if (this.#lacksQueue === true) this.#tell((listener) => listener.queueless?.());
  }

  /**
   * One that has no turn yet cannot be followed (0.166.0): that is tried again with each change of
   * its status.
   */
  async #follow(server: AppServer, id: string): Promise<void> {
    if (this.#followed.has(id)) return;
    this.#followed.set(id, 'asked');
    this.#ownResumes.add(id);
    try {
      await server.request('thread/resume', { threadId: id, excludeTurns: true });
      if (this.#link.server !== server) return;
      this.#followed.set(id, 'followed');
      this.#tell((listener) => listener.followed?.(server, id));
    } catch (error) {
      reportBug('following a thread of Codex', error);
      if (this.#link.server !== server) return;
      this.#followed.delete(id);
      this.#ownResumes.delete(id);
    }
  }

  /**
   * A thread that left the screen, once it rests: as long as somebody follows it, the server keeps
   * it loaded.
   */
  #release(server: AppServer): void {
    for (const [id, how] of this.#followed) {
      const thread = this.find(id);
      if (id === this.#current || how === 'asked' || (thread && isActive(thread))) continue;
      this.#followed.delete(id);
      server
        .request('thread/unsubscribe', { threadId: id })
        .catch((error) => reportBug('leaving a thread of Codex', error));
    }
  }

  #tell(say: (listener: ThreadsListener) => void): void {
    for (const listener of [...this.#listeners]) say(listener);
  }
}
