import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inputFile } from '../../../src/providers/qwen/launch.ts';
import type { Life } from '../../../test/lab/life/life.ts';
import { type ByHand, runFolderOf } from './route.ts';

/** One line at the end of its input file. */
export class QwenByHand implements ByHand {
  readonly #life: Life;
  #path = '';

  constructor(life: Life) {
    this.#life = life;
  }

  open(): void {
    this.#path = join(runFolderOf(this.#life), inputFile);
  }

  wake(text: string): Promise<void> {
    return this.join(text);
  }

  async join(text: string): Promise<void> {
    // At the beginning of a word it asks for a file.
    const escaped = text.replaceAll(/(^|\s)@/g, '$1\\@');
    await appendFile(this.#path, `\n${JSON.stringify({ type: 'submit', text: escaped })}\n`);
  }

  close(): void {
    this.#path = '';
  }
}
