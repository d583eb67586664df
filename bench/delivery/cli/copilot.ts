import { ExtensionLink } from '../../../src/providers/copilot/link.ts';
import type { Life } from '../../../test/lab/life/life.ts';
import { waitUntil } from '../../../test/support/wait-until.ts';
import { type ByHand, runFolderOf } from './route.ts';

/** `session.send` of the extension that runs beside it, over a connection of ours. */
export class CopilotByHand implements ByHand {
  readonly #life: Life;
  #link: ExtensionLink | undefined;

  constructor(life: Life) {
    this.#life = life;
  }

  async open(): Promise<void> {
    const link = new ExtensionLink(runFolderOf(this.#life), () => undefined);
    this.#link = link;
    await waitUntil('the extension', () => link.isConnected);
  }

  wake(text: string): Promise<void> {
    return this.join(text);
  }

  async join(text: string): Promise<void> {
    const answer = await this.#link?.ask({ do: 'send', text });
    if (!answer || answer === 'lost') throw new Error('the extension did not answer');
  }

  close(): void {
    this.#link?.close();
  }
}
