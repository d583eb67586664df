import { errorFacts, type Log } from '../shared/log.ts';
import { reportBug } from '../shared/report-bug.ts';

type Close = () => unknown;

/**
 * Everything that was opened and has to be closed again. A start that fails and an ordinary end
 * both close it here: the last opened part first, because it is made of those before it. Each part
 * is closed once. One that cannot be closed is reported, and the others are closed all the same:
 * a tmux client that is left behind could live for ever.
 */
export class Closers {
  readonly #log: Log;
  readonly #opened: { readonly part: string; readonly close: Close }[] = [];

  constructor(log: Log) {
    this.#log = log;
  }

  /** To be called as soon as the part is open. */
  add(part: string, close: Close): void {
    this.#opened.push({ part, close });
  }

  /** Throws nothing. */
  async close(): Promise<void> {
    for (let opened = this.#opened.pop(); opened; opened = this.#opened.pop()) {
      try {
        await opened.close();
      } catch (error) {
        reportBug(`closing ${opened.part}`, error);
        this.#log.error({ part: opened.part, ...errorFacts(error) }, 'a part was not closed');
      }
    }
  }
}
