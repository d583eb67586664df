import { pause, systemClock } from '../../shared/clock.ts';
import { forgetOldest } from '../../shared/forget-oldest.ts';
import { asObject, type Json } from '../../shared/json.ts';
import { reportBug } from '../../shared/report-bug.ts';
import type { AgentContext, OwnState, StateWatch } from '../provider.ts';
import type { TurnNews } from '../way-in.ts';
import type { ServerEvent } from './event-reader.ts';
import { EventStream } from './event-stream.ts';
import { isChild } from './is-child.ts';
import { askServer, findServer, type ServerAddress } from './server.ts';
import {
  applyEvent,
  applySurvey,
  createSessions,
  describeSessions,
  type Sessions,
} from './sessions.ts';
import { readTurnEnds } from './turn-end.ts';

/** Within the 2 s after which the status would stand in for a turn's end (rule 26). */
const endTries = 8;
const retryMs = 200;
/** After a session could not be read. */
const unreadMs = 1000;
const mostMs = 30_000;
/** Of the newest turns: an older one that is told again is known to the ledger. */
const mostTold = 1000;

/**
 * OpenCode's state as its own server tells it: one stream of events, and a survey of what is true
 * each time the stream is (re)opened. The connection is made again with back-off; while it is lost
 * the screen decides. An agent that was launched otherwise has no such server.
 */
export function watchState(context: AgentContext, report: (state: OwnState) => void): StateWatch {
  let source: ServerState | undefined;
  let isClosed = false;
  const open = (): void => {
    if (source || isClosed) return;
    const address = findServer(context.runFolder);
    // Where it cannot be read it is looked for again after output, as it is where it is not there.
    if (address && address !== 'unreadable') source = new ServerState(address, context, report);
  };
  open();
  return {
    check: () => {
      if (source) source.hurry();
      else open();
    },
    isBehind: () => source?.isBehind ?? false,
    close: () => {
      isClosed = true;
      source?.close();
    },
  };
}

class ServerState {
  readonly #address: ServerAddress;
  readonly #startedAt: number;
  /**
   * Where a turn may have ended while nobody looked: the conversation that was on the screen when
   * somebody last did, and those that hold tasks. After /new a turn goes on in the one that was
   * left (1.18.33).
   */
  readonly #before: readonly string[];
  readonly #report: (state: OwnState) => void;
  readonly #stream: EventStream;
  #sessions: Sessions;
  #said: string | undefined;
  /** Of this life's turns, as many as one look can find. */
  readonly #told = new Set<string>();
  /** Set while a survey is under way: what is told meanwhile counts after it. */
  #pending: Json[] | undefined;
  #surveys = 0;
  #isWhole = false;
  /** Sessions that could not be read, and are asked for again. */
  readonly #unread = new Set<string>();
  /** Turn ends that are being looked up. */
  #lookups = 0;
  #isClosed = false;

  constructor(
    address: ServerAddress,
    { conversation, startedAt, owedReceipts = [] }: AgentContext,
    report: (state: OwnState) => void,
  ) {
    this.#address = address;
    this.#startedAt = startedAt;
    const owed = owedReceipts.map((receipt) => receipt.slice(0, receipt.indexOf('/')));
    this.#before = [...owed, ...(conversation === undefined ? [] : [conversation])];
    this.#sessions = createSessions(conversation);
    this.#report = report;
    this.#stream = new EventStream(address, {
      onEvent: (event, signal) => this.#take(event, signal),
      onLost: () => {
        this.#pending = undefined;
        this.#isWhole = false;
        this.#say({ report: undefined });
      },
    });
    this.#stream.open();
  }

  get isBehind(): boolean {
    return !this.#isWhole || this.#lookups > 0;
  }

  hurry(): void {
    this.#stream.hurry();
  }

  close(): void {
    this.#isClosed = true;
    this.#stream.close();
  }

  #take(event: ServerEvent, signal: AbortSignal): void {
    if (event === 'lost' || event['type'] === 'server.connected') this.#survey(signal);
    else if (this.#pending) this.#pending.push(event);
    else this.#move(applyEvent(this.#sessions, event), signal);
  }

  #survey(signal: AbortSignal): void {
    const told = this.#pending ?? [];
    this.#pending = told;
    this.#surveys++;
    this.#ask(signal, this.#surveys, told).catch((error) => {
      reportBug("a survey of OpenCode's sessions", error);
      this.#stream.reconnect();
    });
  }

  async #ask(signal: AbortSignal, survey: number, told: readonly Json[]): Promise<void> {
    const ask = async (path: string): Promise<unknown> =>
      (await askServer(this.#address, path, signal)).body;
    const paths = ['/session/status', '/permission', '/question'];
    const [status, permissions, questions] = await Promise.all(paths.map(ask));
    const working = Object.keys(asObject(status));
    const { children, unread } = await this.#findChildren(working, signal);
    // A later one was begun because something was lost after this one's beginning.
    if (survey !== this.#surveys || signal.aborted) return;
    this.#pending = undefined;
    // Only now is the connection whole (B11).
    this.#stream.praise();
    this.#isWhole = true;
    const known = new Set([...this.#sessions.children, ...children]);
    for (const id of unread) {
      if (this.#unread.has(id)) continue;
      this.#askAgain(id, signal).catch((error) => reportBug('asking OpenCode once more', error));
    }
    const now = applySurvey(
      { ...this.#sessions, children: known },
      { status, permissions, questions },
    );
    this.#move(told.reduce(applyEvent, now), signal);
    // A turn may have begun and ended while nobody listened. Told again it is the same turn, and
    // changes nothing.
    const { current, busy } = this.#sessions;
    for (const session of new Set([...this.#before, current])) {
      if (session !== undefined && !busy.has(session)) this.#endTurn(session, signal, 1);
    }
  }

  /**
   * Of those that work: whose parent is another session. One that cannot be read is nobody's
   * conversation until it is known to be one (rule 38), but for the one that was on the screen.
   */
  async #findChildren(ids: readonly string[], signal: AbortSignal) {
    const { current, children: known } = this.#sessions;
    const asked = ids.map(async (id) => ({ id, is: await isChild(this.#address, id, signal) }));
    const found = await Promise.all(asked);
    const unread = found.filter(({ id, is }) => is === undefined && id !== current);
    const doubtful = unread.map(({ id }) => id).filter((id) => !known.has(id));
    const children = found.filter(({ is }) => is === true).map(({ id }) => id);
    return { children: [...children, ...doubtful], unread: doubtful };
  }

  /** Until the server says what it is, or the next survey asks. */
  async #askAgain(id: string, signal: AbortSignal): Promise<void> {
    this.#unread.add(id);
    for (let ms = unreadMs; await pause(systemClock, ms, signal); ms = Math.min(2 * ms, mostMs)) {
      // Its end reports the error.
      const is = await isChild(this.#address, id, signal).catch(() => undefined);
      if (is === undefined || signal.aborted) continue;
      this.#unread.delete(id);
      if (is) return;
      const { busy, children } = this.#sessions;
      const type = busy.get(id);
      const others = new Map([...busy].filter(([one]) => one !== id));
      const left = new Set([...children].filter((one) => one !== id));
      this.#sessions = { ...this.#sessions, busy: others, children: left };
      const properties = { sessionID: id, status: { type: type ?? 'idle' } };
      this.#move(applyEvent(this.#sessions, { type: 'session.status', properties }), signal);
      if (type === undefined) this.#endTurn(id, signal, 1);
      return;
    }
    this.#unread.delete(id);
  }

  #move(sessions: Sessions, signal: AbortSignal): void {
    const before = this.#sessions;
    this.#sessions = sessions;
    this.#say(describeSessions(sessions));
    for (const id of before.busy.keys()) {
      if (!sessions.busy.has(id) && !sessions.children.has(id)) this.#endTurn(id, signal, endTries);
    }
  }

  /** Of one that was seen at work it is asked more than once. */
  #endTurn(session: string, signal: AbortSignal, mostTries: number): void {
    this.#lookups++;
    this.#findEnds(session, signal, mostTries)
      .then(
        (ends) => {
          for (const end of ends) this.#tell(end);
        },
        // The session is gone, or the connection: the survey of the next one asks again.
        (error) => reportBug('reading a turn end of OpenCode', error),
      )
      .finally(() => this.#lookups--);
  }

  /**
   * On a busy machine the server may not answer the first question, or not say yet how it ended.
   */
  async #findEnds(
    session: string,
    signal: AbortSignal,
    mostTries: number,
  ): Promise<readonly TurnNews[]> {
    const since = this.#startedAt;
    // After the clock was set back, times cannot tell which turns are of this life.
    const isLastOurs = mostTries > 1 && since > systemClock.now();
    for (let tries = 1; ; tries++) {
      const asked = readTurnEnds(this.#address, session, { since, isLastOurs, signal });
      // Only the last try's error counts: it tells the same.
      const found = await (tries < mostTries ? asked.catch(() => []) : asked);
      const isNews = found.some(({ id }) => !this.#told.has(id));
      if (isNews || tries === mostTries || this.#sessions.busy.has(session)) return found;
      await systemClock.sleep(retryMs, signal);
    }
  }

  /** `session.status` says idle twice after an error (1.18.33). */
  #tell(turnEnd: TurnNews): void {
    if (this.#isClosed || this.#told.has(turnEnd.id)) return;
    this.#told.add(turnEnd.id);
    forgetOldest(this.#told, mostTold);
    this.#report({ ...describeSessions(this.#sessions), turnEnd });
  }

  #say(state: OwnState): void {
    const text = JSON.stringify(state);
    if (this.#isClosed || text === this.#said) return;
    // Nothing is lost that was never found.
    const isNews = this.#said !== undefined || state.report !== undefined;
    this.#said = text;
    if (isNews) this.#report(state);
  }
}
