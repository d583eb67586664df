import { readEnvironment } from '../shared/process-tree.ts';

/**
 * The environment of an agent's process, also when it has died: then it cannot be read any more,
 * and it says where the CLI has written what it did. Empty only where it never could be read: a
 * process may still be whoever forked it.
 */
export class KnownEnvironment {
  readonly #agent: string;
  readonly #pid: number;
  #last: Readonly<Record<string, string>> = {};

  constructor(agent: string, pid: number) {
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
