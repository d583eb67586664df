import { Lost, Refused, readFault } from './fault.ts';
import type { Session } from './session.ts';

/** Requests to the daemon, each of which the command line has, too. */
export class Api {
  readonly #session: Session;
  /** The daemon does not know this session any more. */
  onOver: () => void = () => undefined;

  constructor(session: Session) {
    this.#session = session;
  }

  get<Answer>(path: string, signal?: AbortSignal): Promise<Answer> {
    return this.#ask('GET', path, undefined, signal);
  }

  post<Answer>(path: string, body: object = {}): Promise<Answer> {
    return this.#ask('POST', path, body);
  }

  delete<Answer>(path: string): Promise<Answer> {
    return this.#ask('DELETE', path);
  }

  /** For what is read as it comes, such as the feed. */
  async open(path: string, signal: AbortSignal): Promise<Response> {
    return this.#fetch(path, { signal });
  }

  /** A connection was lost elsewhere. */
  distrust(): void {
    this.#session.distrust();
  }

  /** For a WebSocket, whose first message has it. */
  openSession(): ReturnType<Session['open']> {
    return this.#session.open();
  }

  async #ask<Answer>(
    method: string,
    path: string,
    body?: object,
    signal?: AbortSignal,
  ): Promise<Answer> {
    const response = await this.#fetch(path, {
      method,
      ...(body ? { body: JSON.stringify(body) } : {}),
      ...(signal ? { signal } : {}),
    });
    const text = await response.text().catch((error: unknown) => this.#lose(error));
    return (text === '' ? undefined : JSON.parse(text)) as Answer;
  }

  async #fetch(path: string, init: RequestInit): Promise<Response> {
    const { session, key } = await this.#session.open();
    const headers = {
      authorization: `Bearer ${session}.${key}`,
      ...(init.body ? { 'content-type': 'application/json' } : {}),
    };
    // The key follows no redirection.
    const wanted: RequestInit = { ...init, headers, redirect: 'error', cache: 'no-store' };
    const response = await fetch(path, wanted).catch((error: unknown) => this.#lose(error));
    if (response.ok) return response;
    const refused = new Refused(response.status, readFault(await response.text().catch(() => '')));
    if (refused.words.code === 'session-unknown') this.onOver();
    throw refused;
  }

  #lose(error: unknown): never {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    this.#session.distrust();
    throw new Lost(error);
  }
}
