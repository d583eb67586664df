import { systemClock } from '../../shared/clock.ts';
import { forgetOldest } from '../../shared/forget-oldest.ts';
import { asArray, asObject, asText, type Json } from '../../shared/json.ts';
import { reportBug } from '../../shared/report-bug.ts';
import { OpenQuestions, refused } from '../open-questions.ts';
import { type Fact, tellFacts } from '../question-text.ts';
import type { AskedFor, CliQuestion, Decided, Decision, QuestionChannel } from '../questions.ts';
import type { LiveContext } from '../way-in.ts';
import type { ServerEvent } from './event-reader.ts';
import { EventStream } from './event-stream.ts';
import { isChild } from './is-child.ts';
import { askServer, type Exchange, exchange, findServer, type ServerAddress } from './server.ts';

/**
 * The permissions that OpenCode's server waits for, of all its conversations and their sub-agents:
 * `/permission`, and the events that follow (1.18.33). The questions of its question tool are
 * others, with answers in words: those are for the terminal.
 */
export function openQuestions(life: LiveContext): QuestionChannel {
  let channel: ServerQuestions | undefined;
  let isClosed = false;
  let isUnreadable = false;
  const find = (): ServerQuestions | undefined => {
    if (channel || isClosed) return channel;
    const address = findServer(life.current().runFolder);
    isUnreadable = address === 'unreadable';
    if (address && address !== 'unreadable') channel = new ServerQuestions(address, life);
    return channel;
  };
  find();
  return {
    get open() {
      return find()?.open ?? [];
    },
    get isBlind() {
      return find()?.isBlind ?? isUnreadable;
    },
    decide: async (key, decision, signal) =>
      (await find()?.decide(key, decision, signal)) ?? { outcome: 'gone' },
    close: () => {
      isClosed = true;
      channel?.close();
    },
  };
}

class ServerQuestions {
  readonly #address: ServerAddress;
  readonly #stream: EventStream;
  readonly #questions: OpenQuestions<Asked>;
  /** Sessions, and whether a sub-agent works there. */
  readonly #isSubAgents = new Map<string, boolean>();
  /** Sessions that could not be read, and until when they are left alone; monotonic. */
  readonly #unreadUntil = new Map<string, number>();
  /** Of a survey under way: what it is answered may be old by now. */
  #isStale = false;
  #isLooking = false;
  #isWhole = false;

  constructor(address: ServerAddress, life: LiveContext) {
    this.#address = address;
    this.#questions = new OpenQuestions(() => life.changed());
    this.#stream = new EventStream(address, {
      onEvent: (event, signal) => {
        if (this.#isAbout(event)) void this.#look(signal);
      },
      onLost: () => {
        this.#isWhole = false;
      },
    });
    this.#stream.open();
  }

  get isBlind(): boolean {
    return !this.#isWhole;
  }

  get open(): readonly CliQuestion[] {
    if (!this.#isWhole) this.#stream.hurry();
    return this.#questions.list.map((question) =>
      this.#isAlone(question.key) ? question : withoutDeny(question),
    );
  }

  async decide(key: string, decision: Decision, signal: AbortSignal): Promise<Decided> {
    if (this.isBlind) return refused("OpenCode's server does not answer");
    return await this.#questions.decide(key, { decision, signal }, async () => {
      if (decision === 'deny' && !this.#isAlone(key)) return refused(deniesAll);
      return await this.#reply(key, decision);
    });
  }

  close(): void {
    this.#stream.close();
    this.#questions.clear();
  }

  async #reply(key: string, decision: Decision): Promise<Decided> {
    const sent = await exchange(this.#address, {
      method: 'POST',
      path: `/permission/${encodeURIComponent(key)}/reply`,
      body: { reply: replies[decision] },
    });
    const decided = judge(sent);
    if (decided.outcome === 'taken' || decided.outcome === 'gone') {
      // A survey that was asked before may still have it.
      this.#isStale = true;
      this.#questions.close(key);
    }
    return decided;
  }

  #isAlone(key: string): boolean {
    const session = this.#questions.find(key)?.session;
    const inSession = this.#questions.all.filter((asked) => asked.session === session);
    return inSession.length <= 1;
  }

  /** An abort takes a permission away, and does not always say so. */
  #isAbout(event: ServerEvent): boolean {
    const type = event === 'lost' ? 'lost' : asText(event['type']);
    if (type === 'lost' || type === 'server.connected') return true;
    if (type?.startsWith('permission.')) return true;
    return type?.startsWith('session.') === true && this.#questions.all.length > 0;
  }

  /** What is open now; asked again when something was told meanwhile. */
  async #look(signal: AbortSignal): Promise<void> {
    this.#isStale = true;
    if (this.#isLooking) return;
    this.#isLooking = true;
    try {
      while (this.#isStale && !signal.aborted) {
        this.#isStale = false;
        const asked = await this.#survey(signal);
        if (!this.#isStale && !signal.aborted) this.#show(asked);
      }
    } catch (error) {
      reportBug('asking OpenCode for open permissions', error);
      this.#stream.reconnect();
    } finally {
      this.#isLooking = false;
    }
  }

  async #survey(signal: AbortSignal): Promise<readonly Asked[]> {
    const { body } = await askServer(this.#address, '/permission', signal);
    const open = asArray(body)
      .map(asObject)
      .flatMap((raw) => {
        const id = asText(raw['id']);
        const session = asText(raw['sessionID']);
        return id === undefined || session === undefined ? [] : [{ id, session, raw }];
      });
    // Each once, all at a time: one that does not answer keeps no other waiting in line.
    const sessions = [...new Set(open.map(({ session }) => session))];
    await Promise.all(sessions.map((session) => this.#askParent(session, signal)));
    return open.map((asked) => ({ ...asked, isSubAgents: this.#isSubAgents.get(asked.session) }));
  }

  /** What is asked in a session that cannot be read is asked all the same. */
  async #askParent(session: string, signal: AbortSignal): Promise<void> {
    const now = systemClock.monotonicMs();
    if (this.#isSubAgents.has(session) || now < (this.#unreadUntil.get(session) ?? 0)) return;
    const isSubAgents = await isChild(this.#address, session, signal);
    if (isSubAgents === undefined) {
      this.#unreadUntil.set(session, systemClock.monotonicMs() + askAgainMs);
      forgetOldest(this.#unreadUntil, mostSessions);
      return;
    }
    this.#unreadUntil.delete(session);
    this.#isSubAgents.set(session, isSubAgents);
    forgetOldest(this.#isSubAgents, mostSessions);
  }

  #show(asked: readonly Asked[]): void {
    this.#stream.praise();
    this.#isWhole = true;
    const ids = new Set(asked.map(({ id }) => id));
    this.#questions.closeWhere(({ id }) => !ids.has(id));
    for (const each of asked) {
      const known = this.#questions.find(each.id);
      if (known && known.isSubAgents !== each.isSubAgents) this.#questions.close(each.id);
      this.#questions.add(describe(each), each);
    }
  }
}

interface Asked {
  readonly id: string;
  readonly session: string;
  readonly raw: Json;
  /** Undefined: its session could not be read. */
  readonly isSubAgents: boolean | undefined;
}

const mostSessions = 1000;
/** A session that does not answer costs a look 5 s. */
const askAgainMs = 30_000;
const replies: Readonly<Record<Decision, string>> = { allow: 'once', deny: 'reject' };

function judge(sent: Exchange): Decided {
  if (sent.outcome === 'unsent') return refused(sent.reason);
  if (sent.outcome === 'lost') return { outcome: 'unknown', reason: sent.reason };
  if (sent.status === 200) return { outcome: 'taken' };
  if (sent.status === 404) return { outcome: 'gone' };
  const reason = `OpenCode answered ${sent.status}`;
  // Turned down before anything was done; of any other failure nobody can tell.
  return sent.status >= 400 && sent.status < 500 ? refused(reason) : { outcome: 'unknown', reason };
}

const deniesAll =
  'OpenCode would deny the other questions of this conversation with it; answer at the terminal';

function withoutDeny(question: CliQuestion): CliQuestion {
  return { ...question, decisions: question.decisions.filter((one) => one !== 'deny') };
}

/** Its metadata is what its own dialog shows: a command, a file with its diff, a tool's input. */
function describe({ id, raw, isSubAgents }: Asked): CliQuestion {
  const { permission, patterns, metadata } = raw;
  const facts: Fact[] = [
    ['permission', permission],
    ['for', asArray(patterns).length === 0 ? undefined : patterns],
    ['details', metadata],
  ];
  const { text, decisions } = tellFacts(facts);
  return {
    key: id,
    asks: kinds.get(permission) ?? 'tool',
    text,
    decisions,
    ...(isSubAgents ? { isSubAgents } : {}),
  };
}

const kinds = new Map<unknown, AskedFor>([
  ['bash', 'command'],
  ['edit', 'edit'],
]);
