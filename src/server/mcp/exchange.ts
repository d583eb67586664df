import type { Agent } from '../../agents/agent.ts';
import type { Clock } from '../../shared/clock.ts';
import type { Carried, HandOver, HandOvers } from './hand-overs.ts';

/** A proxy confirms within milliseconds; one that has not by then hangs, as its CLI may. */
const confirmWithinMs = 15_000;

/** One request and its answer: who asked, whether they are still there, and what the answer carries. */
export class Exchange {
  readonly caller: Agent;
  /** The client confirms what it was handed; else what was written to its end has arrived. */
  readonly isConfirmed: boolean;
  readonly #handOvers: HandOvers;
  readonly #clock: Clock;
  readonly #gone = new AbortController();
  readonly #carried: HandOver[] = [];

  constructor(
    caller: Agent,
    isConfirmed: boolean,
    { handOvers, clock }: { readonly handOvers: HandOvers; readonly clock: Clock },
  ) {
    this.caller = caller;
    this.isConfirmed = isConfirmed;
    this.#handOvers = handOvers;
    this.#clock = clock;
  }

  /** Nobody waits for the answer any more. */
  get signal(): AbortSignal {
    return this.#gone.signal;
  }

  /** The id under which it is confirmed. */
  async carry(carried: Carried): Promise<string> {
    const handOver = this.#handOvers.open(this.caller.id, carried);
    this.#carried.push(handOver);
    if (this.signal.aborted) await handOver.lose(closed);
    return handOver.id;
  }

  /** Its last byte was taken. The client sees the end of the answer when all of it is settled. */
  async finish(): Promise<void> {
    if (!this.isConfirmed) {
      for (const handOver of this.#carried) await handOver.finish();
      return;
    }
    const timer = new AbortController();
    const late = this.#clock.sleep(confirmWithinMs, timer.signal).then(
      () => this.#loseAll('the client did not say that it had printed it'),
      () => undefined,
    );
    await Promise.race([late, Promise.all(this.#carried.map(({ settled }) => settled))]);
    timer.abort();
  }

  async leave(): Promise<void> {
    this.#gone.abort();
    await this.#loseAll(closed);
  }

  async #loseAll(cause: string): Promise<void> {
    for (const handOver of this.#carried) await handOver.lose(cause);
  }
}

const closed = 'the client went away before it had printed it';

/** Passes a response on, and settles what it carries with its end. A client that goes away ends the exchange. */
export function follow(response: Response, exchange: Exchange): Response {
  if (!response.body) return response;
  const reader = response.body.getReader();
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await reader.read();
        if (!done) {
          controller.enqueue(value);
          return;
        }
        await exchange.finish();
        // Closed already, when the client went away meanwhile.
        if (!exchange.signal.aborted) controller.close();
      },
      async cancel() {
        await exchange.leave();
        await reader.cancel().catch(() => undefined);
      },
    },
    // Not asked for before the socket took what came before it.
    { highWaterMark: 0 },
  );
  const { status, headers } = response;
  return new Response(body, { status, headers });
}
