import type { IncomingMessage } from 'node:http';
import { asObject, asText, type Json } from '../../shared/json.ts';
import type { AgentContext, OwnState, StateWatch } from '../provider.ts';
import { EventReader, type ServerEvent } from './event-reader.ts';
import { askServer, findServer, type ServerAddress, sendGet } from './server.ts';
import {
  applyEvent,
  applySurvey,
  createSessions,
  describeSessions,
  type Sessions,
} from './sessions.ts';

/**
 * OpenCode's state as its own server tells it: one stream of events, and a survey of what is true each time the stream is
 * (re)opened. The connection is made again with back-off; while it is lost the screen decides. An agent that was launched
 * otherwise has no such server.
 */
export function watchState(context: AgentContext, report: (state: OwnState) => void): StateWatch {
  const address = findServer(context.runFolder);
  if (!address) return { check: () => undefined, close: () => undefined };
  const source = new ServerState(address, context.conversation, report);
  source.open();
  return { check: () => source.hurry(), close: () => source.close() };
}

const firstRetryMs = 250;
const maxRetryMs = 30_000;
/** The server says something every 10 s (1.18.33); a stream that is silent for longer is broken. */
const silenceMs = 35_000;

class ServerState {
  readonly #address: ServerAddress;
  readonly #report: (state: OwnState) => void;
  #sessions: Sessions;
  #said: string | undefined;
  #timer: NodeJS.Timeout | undefined;
  #retryMs = firstRetryMs;
  #connection: AbortController | undefined;
  /** Set while a survey is under way: what is told meanwhile counts after it. */
  #pending: Json[] | undefined;
  #surveys = 0;
  #isClosed = false;

  constructor(
    address: ServerAddress,
    conversation: string | undefined,
    report: (state: OwnState) => void,
  ) {
    this.#address = address;
    this.#sessions = createSessions(conversation);
    this.#report = report;
  }

  open(): void {
    this.#schedule(0);
  }

  /** Output: it lives, so that a server which did not answer yet may do so now. */
  hurry(): void {
    if (this.#connection || this.#retryMs <= 2 * firstRetryMs) return;
    this.#retryMs = firstRetryMs;
    this.#schedule(firstRetryMs);
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#connection?.abort();
  }

  #schedule(inMs: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      void this.#connect();
    }, inMs);
    this.#timer.unref();
  }

  /** One connection from its beginning to its end, whatever that is. */
  async #connect(): Promise<void> {
    const connection = new AbortController();
    this.#connection = connection;
    try {
      const stream = await sendGet(this.#address, '/event', connection.signal);
      stream.socket.setTimeout(silenceMs, () => connection.abort());
      stream.socket.unref();
      await this.#follow(stream, connection.signal);
    } catch {
      // Not up yet, gone, or not ours to talk to: all of that is one thing here.
    }
    connection.abort();
    this.#connection = undefined;
    if (this.#isClosed) return;
    this.#pending = undefined;
    this.#say({ report: undefined });
    this.#schedule(this.#retryMs);
    this.#retryMs = Math.min(this.#retryMs * 2, maxRetryMs);
  }

  async #follow(stream: IncomingMessage, signal: AbortSignal): Promise<void> {
    const reader = new EventReader();
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      for (const event of reader.take(chunk)) this.#take(event, signal);
    }
  }

  #take(event: ServerEvent, signal: AbortSignal): void {
    if (event === 'lost' || event['type'] === 'server.connected') this.#survey(signal);
    else if (this.#pending) this.#pending.push(event);
    else this.#move(applyEvent(this.#sessions, event));
  }

  #survey(signal: AbortSignal): void {
    const told = this.#pending ?? [];
    this.#pending = told;
    this.#surveys++;
    this.#ask(signal, this.#surveys, told).catch(() => this.#connection?.abort());
  }

  async #ask(signal: AbortSignal, survey: number, told: readonly Json[]): Promise<void> {
    const ask = async (path: string): Promise<unknown> =>
      (await askServer(this.#address, path, signal)).body;
    const paths = ['/session/status', '/permission', '/question'];
    const [status, permissions, questions] = await Promise.all(paths.map(ask));
    const children = await this.#findChildren(Object.keys(asObject(status)), signal);
    // A later one was begun because something was lost after this one's beginning.
    if (survey !== this.#surveys || signal.aborted) return;
    this.#pending = undefined;
    // Only now is the connection whole (B11).
    this.#retryMs = firstRetryMs;
    const known = new Set([...this.#sessions.children, ...children]);
    const now = applySurvey(
      { ...this.#sessions, children: known },
      { status, permissions, questions },
    );
    this.#move(told.reduce(applyEvent, now));
  }

  /** Of those that work: whose parent is another session. */
  async #findChildren(ids: readonly string[], signal: AbortSignal): Promise<readonly string[]> {
    const found: string[] = [];
    for (const id of ids) {
      const { body } = await askServer(this.#address, `/session/${encodeURIComponent(id)}`, signal);
      if (asText(asObject(body)['parentID']) !== undefined) found.push(id);
    }
    return found;
  }

  #move(sessions: Sessions): void {
    this.#sessions = sessions;
    this.#say(describeSessions(sessions));
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
