import { readEnvironment } from '../shared/process-tree.ts';

/**
 * The environment of an agent's process, also when it has died: then it cannot be read any more,
 * and it says where the CLI has written what it did. Where it never could be read, because the
 * system does not show it, the CLI hides it, or the process may still be whoever forked it, it is
 * what we have started it with; empty, if an earlier daemon did that.
 */
export class KnownEnvironment {
  readonly #agent: string;
  readonly #pid: number;
  #last: Readonly<Record<string, string>>;

  constructor(agent: string, pid: number, given: Readonly<Record<string, string>> = {}) {
    this.#last = given;
    this.#agent = agent;
    this.#pid = pid;
    this.read();
  }

  read(): Readonly<Record<string, string>> {
    const found = readEnvironment(this.#pid);
    if (found?.['SIGNALBOX_AGENT'] === this.#agent) this.#last = found;
    return this.#last;
  }
}
