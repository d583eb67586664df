import type { Agent } from '../../agents/agent.ts';
import type { LineTest } from '../../delivery/untaken.ts';
import { createSecret } from '../../shared/ids.ts';
import type { Connection } from '../connection.ts';
import type { HandOver } from '../hand-over.ts';
import type { HandOvers } from '../hand-overs.ts';
import type { Calls } from './calls.ts';

/** Messages on their way to a model: they have arrived, or nobody knows. */
export interface Carried extends Pick<HandOver, 'lose'> {
  /** `line`: the call they arrived by. */
  finish(line?: string): Promise<void>;
}

interface Kept {
  readonly id: string;
  /** Its fate is on disk. */
  readonly settled: Promise<void>;
}

/**
 * By what a client calls; a further call of it the same way shows that it has read what it was
 * handed before (rule 17).
 */
export interface Way {
  /** The stdio proxy, by the name it gave itself. */
  readonly proxy?: string;
  /**
   * The MCP session that the request names, or, since 2026-07-28 has none, the client that it
   * names.
   */
  readonly session?: string;
  readonly connection?: Connection;
}

interface Asker {
  readonly caller: Agent;
  /** A message begins a turn of it by itself; else it takes its messages itself, and is told so. */
  readonly isWoken: boolean;
  /** The client confirms what it was handed; else what was written to its end has arrived. */
  readonly isConfirmed: boolean;
  readonly way: Way;
  /** The JSON-RPC ids of its requests, each as JSON: 1 and "1" are two. */
  readonly requests: readonly string[];
  /** When its head had come; monotonic. */
  readonly cameAtMs: number;
}

interface Around {
  readonly calls: Calls;
  readonly handOvers: HandOvers;
  readonly untake: Untake;
}

/** What an agent was handed by these calls may not have been read. Never fails. */
type Untake = (caller: Agent, isLost: LineTest, cause: string) => Promise<void>;

/**
 * One request and its answer: who asked, whether they are still there, and what the answer carries.
 * The stdio proxy tells when it has flushed a result to its CLI: only that hands a message out.
 * Until then the answer stays open, so that a proxy that is killed is noticed at once, and what it
 * was given is uncertain and offered again (rules 16, 17). Handed out is not taken: a client that
 * cancels the call or resets the connection, even after the last byte, may not have read it.
 */
export class Exchange {
  readonly caller: Agent;
  readonly isWoken: boolean;
  readonly isConfirmed: boolean;
  readonly way: Way;
  readonly requests: readonly string[];
  readonly cameAtMs: number;
  /** Its name in the ledger. */
  readonly line: string;
  /** Since when its answer has been written to its end; monotonic. */
  overAtMs: number | undefined;
  readonly #handOvers: HandOvers;
  readonly calls: Calls;
  readonly #untake: Untake;
  readonly #gone = new AbortController();
  readonly #kept: Kept[] = [];
  #doubt: string | undefined;

  constructor(
    { caller, isWoken, isConfirmed, way, requests, cameAtMs }: Asker,
    { calls, handOvers, untake }: Around,
  ) {
    this.caller = caller;
    this.isWoken = isWoken;
    this.isConfirmed = isConfirmed;
    this.way = way;
    this.requests = requests;
    this.cameAtMs = cameAtMs;
    this.line = `${way.proxy === undefined ? '' : `${way.proxy}/`}${createSecret('call')}`;
    this.calls = calls;
    this.#handOvers = handOvers;
    this.#untake = untake;
  }

  /** Nobody waits for the answer any more. */
  get signal(): AbortSignal {
    return this.#gone.signal;
  }

  get isCarrying(): boolean {
    return this.#kept.length > 0;
  }

  /** The id under which it is confirmed. */
  async carry({ finish, lose }: Carried): Promise<string> {
    let settle: () => void = () => undefined;
    const settled = new Promise<void>((resolve) => {
      settle = resolve;
    });
    const id = this.#handOvers.keep({
      finish: () => finish(this.line).finally(settle),
      lose: (cause) => lose(cause).finally(settle),
    });
    this.#kept.push({ id, settled });
    if (this.signal.aborted) await this.#handOvers.lose(id, closed);
    return id;
  }

  /** Its last byte was taken. The client sees the end of the answer when all of it is settled. */
  async finish(): Promise<void> {
    for (const { id, settled } of this.#kept) {
      if (this.isConfirmed) await settled;
      else if (this.#doubt !== undefined) await this.#handOvers.lose(id, this.#doubt);
      else await this.#handOvers.confirm(id);
    }
    if (this.#doubt !== undefined && this.isCarrying) await this.#untakeOwn(this.#doubt);
    this.calls.close(this);
  }

  /**
   * Whoever asked has gone, or wants no answer any more. What was handed out may not have been
   * read.
   */
  async leave(cause = closed): Promise<void> {
    this.#gone.abort();
    for (const { id } of this.#kept) await this.#handOvers.lose(id, cause);
    // What was just being noted as handed out is lost after that.
    for (const { settled } of this.#kept) await settled;
    if (this.isCarrying) await this.#untakeOwn(cause);
    this.calls.close(this);
  }

  /**
   * It may be this call that its client wants no answer for, or another: it goes on, and what it
   * hands out is offered again.
   */
  async doubt(cause: string): Promise<void> {
    this.#doubt = cause;
    if (this.isCarrying) await this.#untakeOwn(cause);
  }

  /** What other calls of its agent handed out may not have been read. */
  untake(isLost: LineTest, cause: string): Promise<void> {
    return this.#untake(this.caller, isLost, cause);
  }

  #untakeOwn(cause: string): Promise<void> {
    return this.untake((line) => line === this.line, cause);
  }
}

const closed = 'the client went away before it had printed it';

/**
 * Passes a response on, and settles what it carries with its end. A client that goes away ends the
 * exchange.
 */
export function follow(response: Response, exchange: Exchange): Response {
  if (!response.body) {
    exchange.calls.close(exchange);
    return response;
  }
  const reader = response.body.getReader();
  let isCancelled = false;
  const left = new Promise<'left'>((resolve) => {
    const { signal } = exchange;
    if (signal.aborted) resolve('left');
    else signal.addEventListener('abort', () => resolve('left'), { once: true });
  });
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const next = await Promise.race([reader.read(), left]);
        if (next !== 'left' && !next.done) {
          controller.enqueue(next.value);
          return;
        }
        // Of a call that was cancelled nothing more is said, and nobody is left to hear how its
        // answer ended.
        if (next === 'left') await reader.cancel().catch(() => undefined);
        else await exchange.finish();
        if (!isCancelled) controller.close();
      },
      async cancel() {
        isCancelled = true;
        await exchange.leave();
        // Nobody reads it any more.
        await reader.cancel().catch(() => undefined);
      },
    },
    // Not asked for before the socket took what came before it.
    { highWaterMark: 0 },
  );
  const { status, headers } = response;
  return new Response(body, { status, headers });
}
