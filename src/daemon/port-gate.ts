import type { IncomingMessage, ServerResponse } from 'node:http';
import { guardLoopback, type Refusal, refusal } from '../server/mcp/guard-loopback.ts';
import { readBearer } from '../server/read-bearer.ts';
import type { Clock } from '../shared/clock.ts';
import { errorFacts, type Log } from '../shared/log.ts';
import { Rate } from '../shared/rate.ts';
import { reportBug } from '../shared/report-bug.ts';
import type { PortConnections } from './port-connections.ts';
import { refuseRaw } from './refuse-raw.ts';

/**
 * Requests of strangers that are answered, and tokens that are looked up for them: 0.1 s of a
 * second, at 0.1 ms each.
 */
const perSecond = 1000;
/** Tokens that were good once pass the rate: an attack must not shut out those who are at work. */
const mostRemembered = 1000;
const logEveryMs = 60_000;

export interface GateParts {
  readonly clock: Clock;
  readonly log: Log;
  readonly connections: PortConnections;
  readonly strangersPerSecond?: number;
  /** Whether it is the token of a life that runs and was given its tools on this port. */
  readonly isGiven: (token: string, port: number) => Promise<boolean>;
}

/** Decides about a request of the port by its head, before a byte of its body is asked for. */
export class PortGate {
  readonly #parts: GateParts;
  readonly #rate: Rate;
  readonly #good = new Set<string>();
  readonly #judged = new WeakSet<object>();
  #refused = 0;
  #loggedAtMs: number | undefined;

  constructor(parts: GateParts) {
    this.#parts = parts;
    this.#rate = new Rate(parts.clock, parts.strangersPerSecond ?? perSecond);
  }

  async admit(
    incoming: IncomingMessage,
    outgoing: ServerResponse,
    port: number,
    pass: () => void,
  ): Promise<void> {
    const { socket } = incoming;
    const isStranger = !this.#parts.connections.isKnown(socket);
    // Of several requests of a stranger in one go the first decides: who has a token waits for its
    // first answer.
    if (isStranger && this.#judged.has(socket)) return void socket.destroy();
    this.#judged.add(socket);
    try {
      const refused = (await this.#judge(incoming, port)) ?? guardLoopback(incoming, port);
      if (socket.destroyed) return;
      if (refused) {
        this.#count();
        return refuseRaw(incoming, refused);
      }
      this.#parts.connections.know(socket, outgoing);
      pass();
    } catch (error) {
      // The ledger cannot be asked: then nobody is let in.
      reportBug('judging a request of the port', error);
      this.#parts.log.error(errorFacts(error), 'a request of the port could not be judged');
      socket.destroy();
    }
  }

  /** The token before anything else. */
  async #judge({ headers, socket }: IncomingMessage, port: number): Promise<Refusal | undefined> {
    const token = readBearer(headers.authorization);
    if (token === undefined || !this.#good.has(token)) {
      const isInRate = this.#rate.take();
      if (!isInRate && token === undefined) socket.destroy();
      if (!isInRate) return tooMany;
    }
    if (token === undefined) return noToken;
    if (!(await this.#parts.isGiven(token, port))) {
      this.#good.delete(token);
      return wrongToken;
    }
    if (this.#good.size >= mostRemembered) this.#good.clear();
    this.#good.add(token);
    return undefined;
  }

  #count(): void {
    const { clock, log } = this.#parts;
    this.#refused++;
    const now = clock.monotonicMs();
    if (this.#loggedAtMs !== undefined && now - this.#loggedAtMs < logEveryMs) return;
    this.#loggedAtMs = now;
    log.warn({ refused: this.#refused }, 'requests without a valid token come to the port');
  }
}

const noToken = refusal(401, 'Show the token of an agent.');
const wrongToken = refusal(401, 'That token is of no agent that runs with its tools on this port.');
const tooMany = refusal(429, 'Too many requests without a valid token; come again.', {
  'retry-after': '1',
});
