import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { asObject, asText, type Json, parseObject } from '../../shared/json.ts';
import { OutsideFailure } from '../../shared/report-bug.ts';
import { openWebSocket, type WebSocketLink } from './websocket.ts';

/** Beside the agent, for this life: its terminal and we speak with it. */
export function appServerSocket(runFolder: string): string {
  return join(runFolder, 'app-server.sock');
}

export interface AppServerEvents {
  readonly notification: (method: string, params: Json) => void;
  /** The server wants an answer; `respond` gives it. Nobody must: every client is asked. */
  readonly request?: (id: RequestId, method: string, params: Json) => void;
  readonly closed: () => void;
}

/** JSON-RPC's; the server counts its own from 0 (0.166.0). */
export type RequestId = number | string;

/**
 * For the handshake and for each request: the server answers within milliseconds, or is stopped or
 * gone.
 */
const deadlineMs = 5000;

/**
 * Why a request has no result. `refused`: the server answered, and said no. `unsent`: there was no
 * connection, nothing left. `lost`: it was sent, and whether it was done nobody knows.
 */
export class RequestFailure extends OutsideFailure {
  readonly kind: 'refused' | 'unsent' | 'lost';
  /** JSON-RPC's, of a refusal. */
  readonly code: number | undefined;

  constructor(kind: RequestFailure['kind'], message: string, code?: number) {
    super(message);
    this.kind = kind;
    this.code = code;
  }
}

/**
 * A second client of a Codex app-server, JSON-RPC over WebSocket (0.166.0). Every client gets every
 * thread's start and status; one that subscribed to a thread gets its turns as well, and the
 * questions that a person must answer, as requests of the server. Those belong to the terminal
 * program and its person; one is answered here only with that person's decision (`questions.ts`).
 */
export class AppServer {
  readonly #pending = new Map<number, Pending>();
  readonly #events: AppServerEvents;
  #link: WebSocketLink | undefined;
  #lastId = 0;

  private constructor(events: AppServerEvents) {
    this.#events = events;
  }

  /**
   * The path is a link into a folder of Codex's own: its target fits into a socket's address, the
   * path may not.
   */
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
      if (!this.#link) return fail(new RequestFailure('unsent', 'the app-server is gone'));
      const timer = setTimeout(() => {
        this.#pending.delete(id);
        fail(new RequestFailure('lost', `no answer to ${method} within ${deadlineMs} ms`));
      }, deadlineMs);
      this.#pending.set(id, { done, fail, timer });
      this.#link.send(JSON.stringify({ id, method, params }));
    });
  }

  /** Answers a request of the server's. False: there is no connection, and nothing was sent. */
  respond(id: RequestId, result: Json): boolean {
    this.#link?.send(JSON.stringify({ id, result }));
    return this.#link !== undefined;
  }

  close(): void {
    this.#link?.close();
  }

  #lose(): void {
    this.#link = undefined;
    for (const { fail, timer } of this.#pending.values()) {
      clearTimeout(timer);
      fail(new RequestFailure('lost', 'the app-server is gone'));
    }
    this.#pending.clear();
    this.#events.closed();
  }

  /** What cannot be read is passed over (O5). */
  #take(text: string): void {
    const { id, method, params, result, error } = parseObject(text) ?? {};
    if (typeof method === 'string') {
      if (id === undefined) this.#events.notification(method, asObject(params));
      else if (isRequestId(id)) this.#events.request?.(id, method, asObject(params));
      return;
    }
    const waiting = typeof id === 'number' ? this.#pending.get(id) : undefined;
    if (typeof id !== 'number' || !waiting) return;
    this.#pending.delete(id);
    clearTimeout(waiting.timer);
    if (error === undefined) waiting.done(asObject(result));
    else waiting.fail(readRefusal(asObject(error)));
  }
}

function isRequestId(id: unknown): id is RequestId {
  return typeof id === 'number' || typeof id === 'string';
}

interface Pending {
  readonly done: (result: Json) => void;
  readonly fail: (error: Error) => void;
  readonly timer: NodeJS.Timeout;
}

function readRefusal({ message, code }: Json): RequestFailure {
  const number = typeof code === 'number' ? code : undefined;
  return new RequestFailure('refused', asText(message) ?? 'refused', number);
}

const clientInfo = { name: 'signalbox', title: 'signalbox', version: '1' };

/** Of a turn that we follow we want its items whole, not letter by letter. */
const optOutNotificationMethods = [
  'item/agentMessage/delta',
  'item/plan/delta',
  'item/reasoning/summaryTextDelta',
  'item/reasoning/summaryPartAdded',
  'item/reasoning/textDelta',
  'item/commandExecution/outputDelta',
  'item/commandExecution/terminalInteraction',
  'item/fileChange/outputDelta',
  'item/fileChange/patchUpdated',
  'item/mcpToolCall/progress',
  'turn/diff/updated',
  'turn/plan/updated',
  'thread/tokenUsage/updated',
];
const capabilities = {
  experimentalApi: true,
  requestAttestation: false,
  optOutNotificationMethods,
};
