import { linkFolder } from '../../../src/providers/copilot/extension.ts';
import { readOffer } from '../../../src/providers/copilot/hooks.ts';
import { ExtensionLink } from '../../../src/providers/copilot/link.ts';
import type { Life } from '../../../test/lab/life/life.ts';
import { waitUntil } from '../../../test/support/wait-until.ts';
import { HookDoor } from './hook-door.ts';
import { type ByHand, runFolderOf } from './route.ts';

/**
 * `session.send` of the extension that runs beside it, over a connection of ours; at a turn's end a
 * hook that answers at once, since Esc in a dialog drops what was sent before (1.0.102).
 */
export class CopilotByHand implements ByHand {
  readonly #life: Life;
  readonly #door: HookDoor;
  #link: ExtensionLink | undefined;

  constructor(life: Life) {
    this.#life = life;
    this.#door = new HookDoor(life);
  }

  prepare(): void {
    this.#door.open();
  }

  async open(): Promise<void> {
    const folder = linkFolder(runFolderOf(this.#life));
    const link = new ExtensionLink(folder, { onChange: () => undefined });
    this.#link = link;
    await waitUntil('the extension', () => link.isConnected);
  }

  async wake(text: string): Promise<void> {
    const answer = await this.#link?.ask({ do: 'send', text });
    if (!answer || answer === 'lost') throw new Error('the extension did not answer');
  }

  async join(text: string): Promise<void> {
    const reply = readOffer({ event: 'agentStop', body: {} })?.reply(text);
    if (reply) await this.#door.say('agentStop', reply);
  }

  close(): void {
    this.#link?.close();
  }
}
