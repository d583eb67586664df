import { neutralise } from '../messages/neutralise.ts';

/**
 * Words that come piece by piece, on their way to a model: only whole lines are passed on, since a
 * tag or a header that is cut in two would be known by neither half. Nor is a tag's beginning
 * passed on whose name may stand in the next line.
 */
export class ModelLines {
  #rest = '';

  read(text: string): string {
    const all = this.#rest + text;
    const lines = all.slice(0, all.lastIndexOf('\n') + 1);
    const open = lines.search(/<[\s/]*$/);
    const cut = open < 0 ? lines.length : open;
    this.#rest = all.slice(cut);
    if (this.#rest.length <= mostOpen) return neutralise(all.slice(0, cut));
    // Too long a line to wait for its end: the dot keeps what follows from completing anything.
    this.#rest = '';
    return `${neutralise(all)}·\n`;
  }

  end(): string {
    const rest = this.#rest;
    this.#rest = '';
    return rest === '' || rest.endsWith('\n') ? neutralise(rest) : `${neutralise(rest)}\n`;
  }
}

/** Characters. */
const mostOpen = 64 * 1024;
