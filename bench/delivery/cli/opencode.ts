import {
  exchange,
  findServer,
  type ServerAddress,
} from '../../../src/providers/opencode/server.ts';
import { asObject, type Json } from '../../../src/shared/json.ts';
import type { Life } from '../../../test/lab/life/life.ts';
import { type ByHand, runFolderOf } from './route.ts';

/** One `prompt_async`, into the conversation that is shown, with its own settings. */
export class OpenCodeByHand implements ByHand {
  readonly #life: Life;
  #address: ServerAddress | undefined;
  #path = '';
  #settings: Json = {};

  constructor(life: Life) {
    this.#life = life;
  }

  async open(): Promise<void> {
    const address = findServer(runFolderOf(this.#life));
    this.#address = address === 'unreadable' ? undefined : address;
    const { conversation = '' } = await this.#life.show();
    this.#path = `/session/${conversation}`;
    const { agent, model } = await this.#ask('GET', this.#path);
    const { id: modelID, providerID } = asObject(model);
    this.#settings = { agent, model: { providerID, modelID } };
  }

  wake(text: string): Promise<void> {
    return this.join(text);
  }

  async join(text: string): Promise<void> {
    const parts = [{ type: 'text', text }];
    await this.#ask('POST', `${this.#path}/prompt_async`, { ...this.#settings, parts });
  }

  close(): void {
    this.#address = undefined;
  }

  async #ask(method: string, path: string, body?: Json): Promise<Json> {
    if (!this.#address) throw new Error('OpenCode has no server.');
    const asked = { method, path, ...(body ? { body } : {}) };
    const answer = await exchange(this.#address, asked);
    if (answer.outcome !== 'answered') throw new Error(answer.reason);
    if (answer.status >= 300) throw new Error(`${method} ${path} answers ${answer.status}`);
    return asObject(answer.body);
  }
}
