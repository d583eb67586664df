import { createServer, type ServerResponse } from 'node:http';

/**
 * Where hooks wait that a person could have written: the newest is kept, older ones are sent away,
 * and what is said goes to the one that waits. The command ends with 2 when it was told something,
 * and Claude Code wakes its model with it.
 */
export class WaitingDesk {
  readonly #path: string;
  #waiting: ServerResponse | undefined;
  readonly #server = createServer((request, response) => {
    request.resume();
    this.#waiting?.end();
    this.#waiting = response;
    response.once('close', () => {
      if (this.#waiting === response) this.#waiting = undefined;
    });
  });

  constructor(path: string) {
    this.#path = path;
  }

  async open(): Promise<void> {
    await new Promise<void>((done) => this.#server.listen(this.#path, done));
  }

  get command(): string {
    const ask = `curl -s -m 3600 --unix-socket ${this.#path} -X POST -T - http://localhost/`;
    return `text=$(${ask}); [ -n "$text" ] || exit 0; printf %s "$text" >&2; exit 2`;
  }

  get hasWaiting(): boolean {
    return this.#waiting !== undefined;
  }

  say(text: string): void {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    if (!waiting) throw new Error('no hook waits');
    waiting.end(text);
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((done) => this.#server.close(done));
  }
}
