import { randomUUID } from 'node:crypto';
import { AppServer, appServerSocket } from '../../../src/providers/codex/app-server.ts';
import type { Life } from '../../../test/lab/life/life.ts';
import { type ByHand, runFolderOf } from './route.ts';

/** The thread's queue on the agent's own app-server, by a client of ours beside the daemon's. */
export class CodexByHand implements ByHand {
  readonly #life: Life;
  #server: AppServer | undefined;
  #thread = '';

  constructor(life: Life) {
    this.#life = life;
  }

  async open(): Promise<void> {
    const { conversation = '' } = await this.#life.show();
    this.#thread = conversation;
    this.#server = await AppServer.connect(appServerSocket(runFolderOf(this.#life)), {
      notification: () => undefined,
      closed: () => undefined,
    });
  }

  wake(text: string): Promise<void> {
    return this.join(text);
  }

  async join(text: string): Promise<void> {
    await this.#server?.request('thread/queue/add', {
      threadId: this.#thread,
      clientUserMessageId: randomUUID(),
      input: [{ type: 'text', text }],
    });
  }

  close(): void {
    this.#server?.close();
  }
}
