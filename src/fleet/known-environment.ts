import { readEnvironment } from '../shared/process-tree.ts';

/**
 * The environment of one process, also when it has died: then it cannot be read any more, and it says where the CLI has written
 * what it did. Empty only where it never could be read.
 */
export class KnownEnvironment {
  readonly #pid: number;
  #last: Readonly<Record<string, string>> = {};

  constructor(pid: number) {
    this.#pid = pid;
    this.read();
  }

  read(): Readonly<Record<string, string>> {
    const found = readEnvironment(this.#pid);
    // That of a zombie is empty.
    if (found && Object.keys(found).length > 0) this.#last = found;
    return this.#last;
  }
}
