import type { Agent } from '../../agents/agent.ts';
import type { HandOver } from '../hand-over.ts';
import type { HandOvers } from '../hand-overs.ts';

/** Messages on their way to a model: they have arrived, or nobody knows. */
export type Carried = Pick<HandOver, 'finish' | 'lose'>;

interface Kept {
  readonly id: string;
  /** Its fate is on disk. */
  readonly settled: Promise<void>;
}

interface Asker {
  readonly caller: Agent;
  /** A message begins a turn of it by itself; else it takes its messages itself, and is told so. */
  readonly isWoken: boolean;
  /** The client confirms what it was handed; else what was written to its end has arrived. */
  readonly isConfirmed: boolean;
}

/**
 * One request and its answer: who asked, whether they are still there, and what the answer carries. The stdio proxy tells when it
 * has flushed a result to its CLI: only that hands a message out. Until then the answer stays open, so that a proxy that is
 * killed is noticed at once, and what it was given is uncertain and offered again (rules 16, 17).
 */
export class Exchange {
  readonly caller: Agent;
  readonly isWoken: boolean;
  readonly isConfirmed: boolean;
  readonly #handOvers: HandOvers;
  readonly #gone = new AbortController();
  readonly #kept: Kept[] = [];

  constructor({ caller, isWoken, isConfirmed }: Asker, handOvers: HandOvers) {
    this.caller = caller;
    this.isWoken = isWoken;
    this.isConfirmed = isConfirmed;
    this.#handOvers = handOvers;
  }

  /** Nobody waits for the answer any more. */
  get signal(): AbortSignal {
    return this.#gone.signal;
  }

  /** The id under which it is confirmed. */
  async carry({ finish, lose }: Carried): Promise<string> {
    let settle: () => void = () => undefined;
    const settled = new Promise<void>((resolve) => {
      settle = resolve;
    });
    const id = this.#handOvers.keep({
      finish: () => finish().finally(settle),
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
      else await this.#handOvers.confirm(id);
    }
  }

  async leave(): Promise<void> {
    this.#gone.abort();
    for (const { id } of this.#kept) await this.#handOvers.lose(id, closed);
  }
}

const closed = 'the client went away before it had printed it';

/** Passes a response on, and settles what it carries with its end. A client that goes away ends the exchange. */
export function follow(response: Response, exchange: Exchange): Response {
  if (!response.body) return response;
  const reader = response.body.getReader();
  let isCancelled = false;
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await reader.read();
        if (!done) {
          controller.enqueue(value);
          return;
        }
        await exchange.finish();
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
