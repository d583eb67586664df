import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { openWebSocket, type WebSocketLink } from './websocket.ts';

/** Beside the agent, for this life: its terminal and we speak with it. */
export function appServerSocket(runFolder: string): string {
  return join(runFolder, 'app-server.sock');
}

export interface AppServerEvents {
  readonly notification: (method: string, params: Json) => void;
  readonly closed: () => void;
}

export type Json = Readonly<Record<string, unknown>>;

/** For the handshake and for each request: the server answers within milliseconds, or is stopped or gone. */
const deadlineMs = 5000;

/**
 * A second client of a Codex app-server, JSON-RPC over WebSocket (0.166.0). It only listens and reads: without subscribing to
 * a thread it gets every thread's start and status, and none of the questions that a person must answer. Requests of the
 * server are never answered.
 */
export class AppServer {
  readonly #pending = new Map<number, Pending>();
  readonly #events: AppServerEvents;
  #link: WebSocketLink | undefined;
  #lastId = 0;

  private constructor(events: AppServerEvents) {
    this.#events = events;
  }

  /** The path is a link into a folder of Codex's own: its target fits into a socket's address, the path may not. */
  static async connect(path: string, events: AppServerEvents): Promise<AppServer> {
    const server = new AppServer(events);
    server.#link = await openWebSocket(
      await realpath(path),
      { text: (text) => server.#take(text), closed: () => server.#lose() },
      AbortSignal.timeout(deadlineMs),
    );
    try {
      await server.request('initialize', { clientInfo, capabilities });
    } catch (error) {
      server.close();
      throw error;
    }
    server.#link?.send(JSON.stringify({ method: 'initialized' }));
    return server;
  }

  async request(method: string, params: Json): Promise<Json> {
    const id = ++this.#lastId;
    return await new Promise((done, fail) => {
      if (!this.#link) return fail(gone());
      const timer = setTimeout(() => {
        this.#pending.delete(id);
        fail(new Error(`the app-server did not answer ${method} within ${deadlineMs} ms`));
      }, deadlineMs);
      this.#pending.set(id, { done, fail, timer });
      this.#link.send(JSON.stringify({ id, method, params }));
    });
  }

  close(): void {
    this.#link?.close();
  }

  #lose(): void {
    this.#link = undefined;
    for (const { fail, timer } of this.#pending.values()) {
      clearTimeout(timer);
      fail(gone());
    }
    this.#pending.clear();
    this.#events.closed();
  }

  /** What cannot be read is passed over (O5). */
  #take(text: string): void {
    let message: Json;
    try {
      message = asObject(JSON.parse(text));
    } catch {
      return;
    }
    const { id, method, params, result, error } = message;
    if (typeof method === 'string') {
      if (id === undefined) this.#events.notification(method, asObject(params));
      return;
    }
    const waiting = typeof id === 'number' ? this.#pending.get(id) : undefined;
    if (typeof id !== 'number' || !waiting) return;
    this.#pending.delete(id);
    clearTimeout(waiting.timer);
    if (error === undefined) waiting.done(asObject(result));
    else waiting.fail(new Error(String(asObject(error)['message'] ?? 'refused')));
  }
}

interface Pending {
  readonly done: (result: Json) => void;
  readonly fail: (error: Error) => void;
  readonly timer: NodeJS.Timeout;
}

function gone(): Error {
  return new Error('the app-server is gone');
}

const clientInfo = { name: 'signalbox', title: 'signalbox', version: '1' };
const capabilities = { experimentalApi: true, requestAttestation: false };

export function asObject(value: unknown): Json {
  return typeof value === 'object' && value !== null ? (value as Json) : {};
}

export function asList(value: unknown): readonly Json[] {
  return Array.isArray(value) ? value.map(asObject) : [];
}

export function asText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
