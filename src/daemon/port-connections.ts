import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { ConnectionBudget } from './descriptors.ts';

/**
 * A stranger has so long to show a token, from its connection to the end of its first request's
 * head.
 */
const strangerMs = 5000;

/**
 * The connections of a port that anybody on this machine can open. Whoever has shown a token may
 * stay; of the others there are few, for a short time, and when one more comes the oldest goes: a
 * client that has a token shows it within milliseconds, so that those who only hold a place lose
 * it. Of those who may stay the one that rested longest goes when all places are taken.
 */
export class PortConnections {
  readonly #budget: Pick<ConnectionBudget, 'port' | 'strangers'>;
  /** Oldest first, each with the timer of its end. */
  readonly #strangers = new Map<Socket, NodeJS.Timeout>();
  /** With the number of its open requests; the one that has rested longest first. */
  readonly #known = new Map<Socket, number>();
  readonly #strangerMs: number;

  constructor(budget: Pick<ConnectionBudget, 'port' | 'strangers'>, ms = strangerMs) {
    this.#budget = budget;
    this.#strangerMs = ms;
  }

  get size(): number {
    return this.#strangers.size + this.#known.size;
  }

  take(socket: Socket): void {
    if (this.#strangers.size >= this.#budget.strangers)
      this.#drop(this.#strangers.keys().next().value);
    if (this.size >= this.#budget.port) this.#drop(this.#findRested() ?? socket);
    if (socket.destroyed) return;
    this.#strangers.set(
      socket,
      setTimeout(() => socket.destroy(), this.#strangerMs),
    );
    socket.once('close', () => this.#forget(socket));
    // Without a listener its end would be the daemon's.
    socket.on('error', () => undefined);
  }

  isKnown(socket: Socket): boolean {
    return this.#known.has(socket);
  }

  /** It has shown a token, for a request that is answered by this. */
  know(socket: Socket, answer: ServerResponse): void {
    if (socket.destroyed) return;
    clearTimeout(this.#strangers.get(socket));
    this.#strangers.delete(socket);
    this.#known.set(socket, (this.#known.get(socket) ?? 0) + 1);
    answer.once('close', () => {
      const open = this.#known.get(socket);
      if (open === undefined) return;
      this.#known.delete(socket);
      this.#known.set(socket, open - 1);
    });
  }

  #findRested(): Socket | undefined {
    for (const [socket, open] of this.#known) if (open === 0) return socket;
    return undefined;
  }

  #drop(socket: Socket | undefined): void {
    if (!socket) return;
    socket.destroy();
    this.#forget(socket);
  }

  #forget(socket: Socket): void {
    clearTimeout(this.#strangers.get(socket));
    this.#strangers.delete(socket);
    this.#known.delete(socket);
  }
}
