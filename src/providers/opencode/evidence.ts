import { asArray, asObject, asText } from '../../shared/json.ts';
import { OutsideFailure, reportBug } from '../../shared/report-bug.ts';
import { doubtForm, RecordForm } from '../record-form.ts';
import type { AttemptTrace, Evidence, Finding, LiveContext } from '../way-in.ts';
import { EventReader } from './event-reader.ts';
import { EventStream } from './event-stream.ts';
import { readShape } from './form.ts';
import { judgeMessage, type MessageFact, readFact } from './judge.ts';
import { deriveMessageId } from './message-id.ts';
import { OneLook, timeout } from './one-look.ts';
import { Place } from './place.ts';
import { askServer, exchange, findServer, type ServerAddress } from './server.ts';
import { readShown } from './shown.ts';
import { SpokenMessages } from './spoken.ts';

/**
 * What OpenCode's server keeps about our messages. Their ids follow from their marks, so that text
 * is never searched: a model or a person that quotes a mark proves nothing (rules 6, 7). A
 * sub-agent's session never holds such an id (rule 38).
 */
export function openEvidence(life: LiveContext): Evidence {
  let server: ServerEvidence | undefined;
  let isClosed = false;
  return {
    judge: async (attempts) => {
      const address = server || isClosed ? undefined : findServer(life.current().runFolder);
      if (address && address !== 'unreadable') server = new ServerEvidence(address, life);
      if (server) return await server.judge(attempts);
      return attempts.map(() => unknown(address === 'unreadable' ? unreadable : missing));
    },
    close: () => {
      isClosed = true;
      server?.close();
    },
  };
}

const missing = 'this OpenCode was launched without a server that we know';
const unreadable = "the address of OpenCode's server cannot be read now";

const mostPages = 100;
/** Of sessions, asked for at once. */
const mostSessions = 1000;
/** The server's clock is ours; this is for rounding, and for one that was set back a little. */
const slackMs = 60_000;
const burstMs = 30;

class ServerEvidence implements Evidence {
  readonly #address: ServerAddress;
  readonly #life: LiveContext;
  readonly #place: Place;
  /** What is proven stays so. */
  readonly #seen = new Map<string, Finding>();
  #stream: EventStream | undefined;
  #isAwaiting = false;
  /** By the events of the stream. */
  readonly #spoken = new SpokenMessages();
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(address: ServerAddress, life: LiveContext) {
    this.#address = address;
    this.#life = life;
    this.#place = new Place(address, life);
  }

  async judge(attempts: readonly AttemptTrace[]): Promise<readonly Finding[]> {
    const marks = new Set(attempts.map(({ mark }) => mark));
    for (const mark of this.#seen.keys()) if (!marks.has(mark)) this.#seen.delete(mark);
    // Before the first look: what happens after it is told.
    this.#listen(attempts.some(({ mark }) => !this.#seen.has(mark)));
    const findings: Finding[] = [];
    const look = new OneLook(this.#address);
    for (const attempt of attempts) {
      const finding = this.#seen.get(attempt.mark) ?? (await this.#judgeOne(look, attempt));
      if (finding.found === 'seen') this.#seen.set(attempt.mark, finding);
      findings.push(finding);
    }
    this.#listen(findings.some(({ found }) => found !== 'seen'));
    return findings;
  }

  close(): void {
    this.#isClosed = true;
    this.#listen(false);
    this.#stream?.close();
  }

  async #judgeOne(look: OneLook, attempt: AttemptTrace): Promise<Finding> {
    const id = deriveMessageId(attempt);
    try {
      const { session, isCertain } = await this.#findSession(look, attempt, id);
      if (session !== undefined) return await this.#judgeIn(look, session, id);
      const evidence = `no session of OpenCode's server holds a message ${id}`;
      if (attempt.isAlive) return { found: 'none', evidence };
      // It is written down before any request, and what is only in memory dies with the process
      // (1.18.33).
      if (isCertain) return { found: 'absent', evidence: `${evidence} after the process's end` };
      return unknown(`the session that took message ${id} is gone`);
    } catch (error) {
      reportBug("reading the evidence of OpenCode's server", error);
      return unknown(`OpenCode's server: ${error instanceof Error ? error.message : error}`);
    }
  }

  /** The receipt names it; without one (we were interrupted) it is one that has changed since. */
  async #findSession(
    look: OneLook,
    { receipt, conversation, at }: AttemptTrace,
    id: string,
  ): Promise<{ readonly session?: string; readonly isCertain: boolean }> {
    const [named] = receipt?.split('/') ?? [];
    if (named) {
      const found = await this.#holds(look, named, id);
      return found === 'yes' ? { session: named, isCertain: true } : { isCertain: found === 'no' };
    }
    const likely = [conversation, this.#life.current().conversation];
    const { body } = await askServer(this.#address, `/session?limit=${mostSessions}`, timeout());
    const listed = asArray(body).map(asObject);
    // Of those beyond the limit, and of an answer that is no list, nothing is known.
    let isCertain = Array.isArray(body) && listed.length < mostSessions;
    const changed = listed.filter(isRoot);
    const recent = changed.filter(({ time }) => changedAt(time) >= at - slackMs);
    for (const session of new Set([...likely, ...recent.map((info) => asText(info['id']))])) {
      if (session === undefined) continue;
      const found = await this.#holds(look, session, id);
      if (found === 'yes') return { session, isCertain: true };
      // It may have held the message.
      if (found === 'no-session') isCertain = false;
    }
    return { isCertain };
  }

  async #holds(look: OneLook, session: string, id: string): Promise<'yes' | 'no' | 'no-session'> {
    // It is read in any case when the message is there, and mostly among the last ones.
    const last = await look.readPage(session);
    if (last?.messages.some((raw) => readFact(raw)?.id === id)) return 'yes';
    const path = `/session/${encodeURIComponent(session)}`;
    const found = await this.#statusOf(`${path}/message/${id}`);
    if (found === 200) {
      // Older than those, or newer.
      look.forget();
      return 'yes';
    }
    return (await this.#statusOf(path)) === 200 ? 'no' : 'no-session';
  }

  async #statusOf(path: string): Promise<200 | 404> {
    const answer = await exchange(this.#address, { method: 'GET', path });
    if (answer.outcome !== 'answered') throw new OutsideFailure(answer.reason);
    if (answer.status !== 200 && answer.status !== 404) {
      throw new OutsideFailure(`${path} answers ${answer.status}`);
    }
    return answer.status;
  }

  async #judgeIn(look: OneLook, session: string, id: string): Promise<Finding> {
    let messages: readonly MessageFact[] = [];
    const form = new RecordForm(readShape);
    let before: string | undefined;
    for (let n = 0; n < mostPages; n++) {
      const page = await look.readPage(session, before);
      if (!page) throw new OutsideFailure(`session ${session} is gone`);
      for (const raw of page.messages) form.take(asObject(raw));
      const facts = page.messages.flatMap((raw) => this.#readFact(raw) ?? []);
      messages = [...facts, ...messages];
      before = page.before;
      if (facts.some((fact) => fact.id === id) || before === undefined) break;
    }
    const judged = judgeMessage(messages, id, session);
    const finding = form.isForeign ? doubtForm(judged, this.#life.current().version) : judged;
    if (finding.found !== 'landed' || !(await this.#isLeft(look, session))) return finding;
    const evidence = `${finding.evidence}; that conversation was left`;
    return { ...finding, evidence, isLeft: true };
  }

  #readFact(raw: unknown): MessageFact | undefined {
    const fact = readFact(raw);
    const isBegun = fact && !fact.isUser && fact.output === undefined && this.#spoken.has(fact.id);
    return isBegun ? { ...fact, output: 'the first word' } : fact;
  }

  /** Nobody is there, and nothing goes on: there will be no next request. */
  async #isLeft(look: OneLook, session: string): Promise<boolean> {
    const { conversation, runFolder } = this.#life.current();
    const shown = readShown(runFolder);
    // Nobody knows: it is asked again with the next look (rule 41).
    if (shown === 'unreadable') return false;
    // After /new nothing is shown, and the agent's conversation is still the last one.
    const current =
      shown?.view === 'session' ? await this.#rootOf(look, shown.session) : conversation;
    const isElsewhere = current !== undefined && current !== session;
    if (shown?.view !== 'home' && !isElsewhere) return false;
    return asObject(await look.statusOfSessions())[session] === undefined;
  }

  /** Whoever looks at a sub-agent's session has not left the conversation that it belongs to. */
  async #rootOf(look: OneLook, shown: string): Promise<string | undefined> {
    const found = await look.once('where the person is', () => this.#place.find());
    return found !== undefined && 'session' in found ? found.session : shown;
  }

  /**
   * One connection for the whole life. OpenCode 1.18.33 forgets none that was closed: when each
   * message had its own, the ninth made it print a warning about leaking listeners over its screen.
   */
  #listen(isAwaiting: boolean): void {
    this.#isAwaiting = isAwaiting && !this.#isClosed;
    if (this.#isAwaiting) this.#stream ??= this.#openStream();
    if (this.#isAwaiting) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #openStream(): EventStream {
    const spoken = this.#spoken;
    const stream = new EventStream(this.#address, {
      createReader: () => new EventReader((head) => spoken.isNews(head)),
      onEvent: (event) => {
        const isTelling = event === 'lost' || telling.has(event['type']) || spoken.take(event);
        if (isTelling && this.#isAwaiting) this.#noticeSoon();
        if (event !== 'lost') stream.praise();
      },
    });
    stream.open();
    return stream;
  }

  #noticeSoon(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#life.changed();
    }, burstMs).unref();
  }
}

const telling = new Set<unknown>([
  'server.connected',
  'message.updated',
  'message.removed',
  'session.status',
]);

function unknown(evidence: string): Finding {
  return { found: 'unknown', evidence };
}

function isRoot(session: { readonly [key: string]: unknown }): boolean {
  return asText(session['parentID']) === undefined;
}

function changedAt(time: unknown): number {
  const { updated } = asObject(time);
  return typeof updated === 'number' ? updated : 0;
}
