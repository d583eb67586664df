import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inputFile } from '../../../src/providers/qwen/launch.ts';
import type { Life } from '../../../test/lab/life/life.ts';
import { waitUntil } from '../../../test/support/wait-until.ts';
import { type ByHand, runFolderOf } from './route.ts';

/**
 * One line at the end of its input file; not before the running answer has ended, since Esc puts
 * what came before that into the composer (0.24.4).
 */
export class QwenByHand implements ByHand {
  readonly #life: Life;
  #path = '';

  constructor(life: Life) {
    this.#life = life;
  }

  open(): void {
    this.#path = join(runFolderOf(this.#life), inputFile);
  }

  async wake(text: string): Promise<void> {
    // At the beginning of a word it asks for a file.
    const escaped = text.replaceAll(/(^|\s)@/g, '$1\\@');
    await appendFile(this.#path, `\n${JSON.stringify({ type: 'submit', text: escaped })}\n`);
  }

  async join(text: string): Promise<void> {
    const isOver = (): boolean =>
      this.#life.mock.requests.every(({ isSide, outcome }) => isSide || outcome !== undefined);
    await waitUntil('the end of the answer', isOver, 60_000);
    await this.wake(text);
  }

  close(): void {
    this.#path = '';
  }
}
