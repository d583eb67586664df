import { forgetOldest } from '../../shared/forget-oldest.ts';
import { asObject, asText, type Json } from '../../shared/json.ts';
import type { RequestId } from './app-server.ts';

/** What a Codex app-server wants to know from its person, of one item of a turn. */
export interface ServerRequest {
  /**
   * The server counts from 0 again when it starts anew (0.166.0); turns have names of their own.
   */
  readonly key: string;
  readonly id: RequestId;
  readonly method: string;
  readonly thread: string;
  readonly turn: string;
  readonly item: string;
  readonly params: Json;
  /** What a change of files would do; it is in its item alone, which is told before (0.166.0). */
  readonly changes?: unknown;
}

export const fileChange = 'item/fileChange/requestApproval';

/** More than any server was seen to have open; what comes on top is for the terminal. */
const mostOpen = 100;
/** Changes of files that have begun and not ended, of all threads. */
const mostChanges = 100;

/**
 * The open requests of one connection. The server tells each client that follows a thread, tells it
 * again to one that follows it later, and says when one is over, whoever answered it (0.166.0).
 */
export class ServerRequests {
  readonly #open = new Map<string, ServerRequest>();
  readonly #changes = new Map<string, unknown>();
  readonly #changed: () => void;

  constructor(changed: () => void) {
    this.#changed = changed;
  }

  get open(): readonly ServerRequest[] {
    return [...this.#open.values()];
  }

  take({ id, method, params }: Pick<ServerRequest, 'id' | 'method' | 'params'>): void {
    const thread = asText(params['threadId']);
    // An MCP server's question may belong to no turn, nor to an item.
    const turn = asText(params['turnId']) ?? '';
    const item = asText(params['itemId']) ?? '';
    if (thread === undefined || this.isOpen(id) || this.#open.size >= mostOpen) return;
    const key = `${turn}/${item}/${id}`;
    const changes = method === fileChange ? this.#changes.get(item) : undefined;
    this.#open.set(name(id), { key, id, method, thread, turn, item, params, changes });
    this.#changed();
  }

  /** It is told once more to each client that follows its thread again. */
  isOpen(id: RequestId): boolean {
    return this.#open.has(name(id));
  }

  knowsChanges(item: unknown): boolean {
    return this.#changes.has(String(item));
  }

  /** An item that has begun: told as it begins, or asked for. */
  learn(item: Json): void {
    if (item['type'] !== 'fileChange') return;
    this.#changes.set(String(item['id']), item['changes']);
    forgetOldest(this.#changes, mostChanges);
  }

  notice(method: string, params: Json): void {
    if (method === 'serverRequest/resolved') this.#close(params['requestId']);
    if (method === 'item/started') this.learn(asObject(params['item']));
    if (method === 'item/completed') this.#changes.delete(String(asObject(params['item'])['id']));
    // An end of a turn ends what it asked, whether that is told or not.
    if (method === 'turn/completed') {
      const thread = asText(params['threadId']);
      for (const request of this.open) if (request.thread === thread) this.#close(request.id);
    }
  }

  clear(): void {
    this.#changes.clear();
    for (const { id } of this.open) this.#close(id);
  }

  #close(id: unknown): void {
    if (this.#open.delete(name(id))) this.#changed();
  }
}

/** 1 and "1" are two. */
function name(id: unknown): string {
  return JSON.stringify(id) ?? '';
}
