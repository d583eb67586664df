import { appendFileSync } from 'node:fs';
import type { Api } from './apis/api.ts';

/** What the mock got: the ground truth of every delivery. */
export interface LoggedRequest {
  readonly n: number;
  /** Arrival, milliseconds since 1970. */
  readonly at: number;
  readonly api: Api['name'];
  /** A request of the CLI's own, without tools: no turn. */
  readonly isSide: boolean;
  readonly lastUserText: string;
  /** Of lastUserText, as UTF-8. */
  readonly sha256: string;
  /** Of lastUserText, in bytes. */
  readonly length: number;
  readonly toolsCount: number;
  readonly model: string;
  /** Tool calls that the model has made since lastUserText. */
  readonly callsSince: number;
  /**
   * What the client got of the answer: a status that refuses it, headers or events that hold
   * nothing of the model's, or at least one word or call. Unset: nothing yet. Whatever was not
   * refused may have been read by the model (rule 49).
   */
  sent?: 'status' | 'headers' | 'output';
  /** When the first word or call went out. */
  outputAt?: number;
  /** Unset while it is being answered. `failed` is a `@@fail`, `broken` a `@@break`. */
  outcome?: 'finished' | 'failed' | 'broken' | 'client-closed';
  /** Its last byte was written, or its client went away. */
  endedAt?: number;
  /** The whole body: for text that is not the last, such as what a hook added. Not in the file. */
  readonly body: string;
}

/** Old bodies are dropped: a long run would otherwise keep every conversation many times over. */
const keptBodies = 200;

/** Keeps requests in memory and writes each one that ended as a line of JSON. */
export class RequestLog {
  readonly #file: string | undefined;
  readonly #requests: LoggedRequest[] = [];
  readonly #watchers = new Set<() => void>();

  constructor(file: string | undefined) {
    this.#file = file;
  }

  get requests(): readonly LoggedRequest[] {
    return this.#requests;
  }

  add(request: Omit<LoggedRequest, 'n' | 'at'>): LoggedRequest {
    const logged = { n: this.#requests.length + 1, at: Date.now(), ...request };
    this.#requests.push(logged);
    const old = this.#requests[this.#requests.length - 1 - keptBodies];
    if (old) Object.assign(old, { body: '' });
    this.#tell();
    return logged;
  }

  end(request: LoggedRequest, outcome: NonNullable<LoggedRequest['outcome']>): void {
    request.outcome = outcome;
    request.endedAt = Date.now();
    const { body: _body, ...line } = request;
    if (this.#file) appendFileSync(this.#file, `${JSON.stringify(line)}\n`);
    this.#tell();
  }

  /** Waits for a request, looking again whenever one arrives or ends. */
  async waitFor(
    isWanted: (request: LoggedRequest) => boolean,
    deadlineMs: number,
  ): Promise<LoggedRequest> {
    return await new Promise<LoggedRequest>((resolve, reject) => {
      const look = (): void => {
        const found = this.#requests.find(isWanted);
        if (found) settle(() => resolve(found));
      };
      const giveUp = (): void => {
        const seen = this.#requests.map(describe).join('\n');
        settle(() => reject(new Error(`No such request within ${deadlineMs} ms. Seen:\n${seen}`)));
      };
      const timer = setTimeout(giveUp, deadlineMs);
      const settle = (act: () => void): void => {
        clearTimeout(timer);
        this.#watchers.delete(look);
        act();
      };
      this.#watchers.add(look);
      look();
    });
  }

  #tell(): void {
    for (const look of this.#watchers) look();
  }
}

function describe({ n, api, isSide, lastUserText, outcome }: LoggedRequest): string {
  const text = JSON.stringify(lastUserText.slice(0, 80));
  return `#${n} ${api}${isSide ? ' (side)' : ''} ${text} ${outcome ?? 'open'}`;
}
