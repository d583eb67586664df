import { createSecret } from '../../shared/ids.ts';
import type { Log } from '../../shared/log.ts';
import { errorFacts } from '../../shared/log.ts';

/** Messages on their way to a model: they have arrived, or nobody knows. */
export interface Carried {
  finish(): Promise<void>;
  lose(cause: string): Promise<void>;
}

/** One hand-over, until its fate is on disk. */
export interface HandOver extends Carried {
  readonly id: string;
  /** Resolves when it is finished or lost. */
  readonly settled: Promise<void>;
}

/**
 * What was given to clients that confirm. The stdio proxy tells when it has flushed a result to its CLI: only that hands a
 * message out. It may be killed at any time in between, and then the message is uncertain and offered again (rules 16, 17).
 */
export class HandOvers {
  readonly #log: Log;
  readonly #open = new Map<string, { readonly agent: string; readonly handOver: HandOver }>();

  constructor(log: Log) {
    this.#log = log;
  }

  open(agent: string, carried: Carried): HandOver {
    const id = createSecret('hnd');
    let isOver = false;
    let settle: () => void = () => undefined;
    const settled = new Promise<void>((resolve) => {
      settle = resolve;
    });
    const once = async (end: () => Promise<void>): Promise<void> => {
      if (isOver) return settled;
      isOver = true;
      this.#open.delete(id);
      try {
        await end();
      } catch (error) {
        // Its claim's holder ends some day, and then it is uncertain.
        this.#log.error({ agent, ...errorFacts(error) }, 'what was handed out cannot be settled');
      } finally {
        settle();
      }
    };
    const handOver: HandOver = {
      id,
      settled,
      finish: () => once(() => carried.finish()),
      lose: (cause) => once(() => carried.lose(cause)),
    };
    this.#open.set(id, { agent, handOver });
    return handOver;
  }

  /** False: it was given up before, and is offered again. */
  async confirm(agent: string, id: string): Promise<boolean> {
    const found = this.#open.get(id);
    if (found?.agent !== agent) return false;
    await found.handOver.finish();
    return true;
  }
}
