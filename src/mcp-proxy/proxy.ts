import { type Answer, readStream, readText } from '../client/socket/http.ts';
import { handOverMeta } from '../protocol/daemon.ts';
import { reachFailPoint } from '../shared/fail-point.ts';
import { Fault } from '../shared/fault.ts';
import { parseJson } from '../shared/json.ts';
import { OutsideFailure, reportBug } from '../shared/report-bug.ts';
import type { Door, How } from './door.ts';
import type { Line } from './line-reader.ts';
import {
  badId,
  describeRefusal,
  describeTooLong,
  type Id,
  inputEnded,
  isId,
  isObject,
  noDaemon,
  notUtf8,
  type Request,
  refuse,
  sayBroken,
  writeError,
} from './trouble.ts';

/**
 * What a client asks at its start, and can be asked again: it gives up on a server that does not
 * answer these.
 */
const opening: How = { patienceMs: 5000, isRepeatable: true };
const ordinary: How = { patienceMs: 1000, isRepeatable: false };
const openingMethods = new Set(['initialize', 'tools/list', 'server/discover']);

/**
 * Hands each request to the daemon and prints the answers in the order in which they come. Nothing
 * a client writes ends it.
 */
export class StdioProxy {
  readonly #door: Door;
  readonly #print: (text: string) => Promise<void>;
  readonly #running = new Map<string, Running>();
  /** What was cancelled so far has been passed on. */
  #cancelled: Promise<void> = Promise.resolve();

  constructor(door: Door, print: (text: string) => Promise<void>) {
    this.#door = door;
    this.#print = print;
  }

  take(line: Line): void {
    for (const message of readMessages(line)) {
      const answer = message instanceof Unreadable ? message.answer : this.#hear(message);
      if (answer) this.#say(answer);
    }
  }

  /**
   * Nothing more will be asked. What was, is answered: what takes longer than `over` lets it, by a
   * word that says so.
   */
  async finish(over: AbortSignal): Promise<void> {
    const under = [...this.#running.values()];
    const isOver = new Promise<void>((resolve) => {
      if (over.aborted) resolve();
      over.addEventListener('abort', () => resolve(), { once: true });
    });
    await Promise.race([Promise.all(under.map(({ done }) => done)), isOver]);
    for (const { request } of this.#running.values()) this.#say(refuse(request, inputEnded));
    this.end();
    // Written behind all the others. Where nobody reads, the stream's own error ends us.
    await this.#print('').catch(() => undefined);
  }

  /** Whoever asked is gone. */
  end(): void {
    for (const { gone } of this.#running.values()) gone.abort();
    this.#running.clear();
  }

  /** What can be answered on the spot. */
  #hear(message: unknown): object | undefined {
    if (!isObject(message)) return writeError(null, -32600, 'Not a JSON-RPC message.');
    const { id, method, params } = message;
    if (typeof method !== 'string') {
      // An answer, to a question that nobody asked.
      if ('result' in message || 'error' in message) return undefined;
      return writeError(isId(id) ? id : null, -32600, 'A request has a method.');
    }
    if (id === undefined) {
      if (method === 'notifications/cancelled' && isObject(params)) {
        this.#running.get(keyOf(params['requestId']))?.gone.abort();
        this.#cancel(message);
      }
      return undefined;
    }
    if (!isId(id)) return writeError(null, -32600, badId);
    // It asks whether we are there.
    if (method === 'ping') return { jsonrpc: '2.0', id, result: {} };
    const request = { ...message, id, method };
    const gone = new AbortController();
    this.#running.set(keyOf(id), { request, gone, done: this.#forward(request, gone) });
    return undefined;
  }

  /**
   * Its result may have been printed and confirmed just before: then the client has thrown it away.
   * The daemon hears that before it hears any later call, which would show that the result was read
   * (rule 17).
   */
  #cancel(message: unknown): void {
    const before = this.#cancelled;
    this.#cancelled = (async () => {
      await before;
      await this.#door.cancel(message).catch((error) => reportBug('passing on a cancel', error));
    })();
  }

  async #forward(request: Request, gone: AbortController): Promise<void> {
    try {
      await this.#cancelled;
      const how = openingMethods.has(request.method) ? opening : ordinary;
      const answer = await this.#door.ask(request, how, gone.signal);
      await this.#passOn(request, answer, gone.signal);
    } catch (error) {
      // What came was no answer, or did not come to its end; or nothing may be sent there.
      reportBug('passing on a call of a tool', error);
      const why = error instanceof Fault ? `${error.message} ${error.next}` : sayBroken;
      if (!gone.signal.aborted) this.#say(refuse(request, why));
    } finally {
      const key = keyOf(request.id);
      if (this.#running.get(key)?.gone === gone) this.#running.delete(key);
    }
  }

  async #passOn(request: Request, answer: Answer, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    if (answer.outcome !== 'answered') {
      this.#say(refuse(request, answer.outcome === 'refused' ? noDaemon : sayBroken));
      return;
    }
    const { response } = answer;
    if (!/^text\/event-stream/.test(response.headers['content-type'] ?? '')) {
      const document = parseJson(await readText(response));
      if (document === undefined) throw new OutsideFailure('what came is no JSON');
      if (isObject(document) && document['jsonrpc'] === '2.0') {
        return this.#handOver({ ...document, id: request.id }, signal);
      }
      this.#say(refuse(request, describeRefusal(document)));
      return;
    }
    let isAnswered = false;
    for await (const data of readStream(response)) {
      const message = parseJson(data);
      if (!isObject(message)) continue;
      isAnswered ||= message['id'] === request.id;
      await this.#handOver(message, signal);
    }
    if (!isAnswered && !signal.aborted) this.#say(refuse(request, sayBroken));
  }

  /**
   * What it carries counts as handed out once it is printed, and the daemon was told so (rule 16).
   */
  async #handOver(message: Record<string, unknown>, signal: AbortSignal): Promise<void> {
    const { text, id } = takeOutId(message);
    await reachFailPoint('mcp.answered');
    if (signal.aborted) return;
    await this.#print(`${text}\n`);
    await reachFailPoint('mcp.printed');
    if (id !== undefined) await this.#door.confirm(id);
  }

  /** Whether it could be printed is noticed elsewhere. */
  #say(message: object): void {
    // The stream's own error ends us.
    void this.#print(`${JSON.stringify(message)}\n`).catch(() => undefined);
  }
}

interface Running {
  readonly request: Request;
  readonly gone: AbortController;
  /** Never rejects. */
  readonly done: Promise<void>;
}

class Unreadable {
  readonly answer: object;

  constructor(answer: object) {
    this.answer = answer;
  }
}

function readMessages(line: Line): readonly unknown[] {
  if (line.kind === 'too-long') return [new Unreadable(describeTooLong(line))];
  const said = parseJson(line.text);
  if (said === undefined) {
    return [new Unreadable(writeError(null, -32700, 'Parse error: the line is not JSON.'))];
  }
  // A batch of protocol 2025-03-26: each is answered on its own.
  const messages = Array.isArray(said) && said.length > 0 ? said : [said];
  return line.kind === 'not-utf8' ? messages.map(refuseBytes) : messages;
}

/** Its bytes would arrive as other ones. */
function refuseBytes(message: unknown): Unreadable {
  const { id, method } = isObject(message) ? message : {};
  if (!isId(id) || typeof method !== 'string') {
    return new Unreadable(writeError(null, -32700, notUtf8));
  }
  return new Unreadable(refuse({ id, method }, notUtf8));
}

/** The id of a hand-over is between the daemon and us. */
function takeOutId(message: Record<string, unknown>): { text: string; id: string | undefined } {
  const { result } = message;
  const meta = isObject(result) ? result['_meta'] : undefined;
  const id = isObject(meta) ? meta[handOverMeta] : undefined;
  if (!isObject(result) || !isObject(meta) || typeof id !== 'string') {
    return { text: JSON.stringify(message), id: undefined };
  }
  const { [handOverMeta]: _, ...rest } = meta;
  const { _meta: __, ...bare } = result;
  const whole = Object.keys(rest).length > 0 ? { ...bare, _meta: rest } : bare;
  return { text: JSON.stringify({ ...message, result: whole }), id };
}

/** 1 and "1" are two requests. */
function keyOf(id: Id | unknown): string {
  return JSON.stringify(id) ?? '';
}
