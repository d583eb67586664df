import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readOffer } from '../../../src/providers/claude-code/offer.ts';
import { writeJson } from '../../../test/lab/homes/home-wish.ts';
import type { Life } from '../../../test/lab/life/life.ts';
import { waitUntil } from '../../../test/support/wait-until.ts';
import { HookDoor } from './hook-door.ts';
import type { ByHand } from './route.ts';
import { WaitingDesk } from './waiting-desk.ts';

/** A hook of the person's own that waits beside ours, and a Stop hook that answers at once. */
export class ClaudeCodeByHand implements ByHand {
  readonly #life: Life;
  readonly #desk: WaitingDesk;
  readonly #door: HookDoor;

  constructor(life: Life) {
    this.#life = life;
    this.#desk = new WaitingDesk(join(life.home.folder, 'desk'));
    this.#door = new HookDoor(life);
  }

  async prepare(): Promise<void> {
    await this.#desk.open();
    this.#door.open();
    const path = join(this.#life.home.home, '.claude', 'settings.json');
    const settings = JSON.parse(readFileSync(path, 'utf8')) as object;
    const waiting = { type: 'command', command: this.#desk.command, asyncRewake: true };
    const entry = [{ hooks: [{ ...waiting, timeout: 3600, rewakeMessage: 'by hand:' }] }];
    const events = ['SessionStart', 'UserPromptSubmit', 'Stop'];
    const hooks = Object.fromEntries(events.map((event) => [event, entry]));
    writeJson(path, { ...settings, hooks });
  }

  open(): void {
    // It has been waiting since the start.
  }

  async wake(text: string): Promise<void> {
    this.#desk.say(text);
  }

  async join(text: string): Promise<void> {
    const reply = readOffer({ event: 'Stop', body: {} })?.reply(text);
    if (reply) await this.#door.say('Stop', reply);
    await waitUntil('the next waiting hook', () => this.#desk.hasWaiting);
  }

  async close(): Promise<void> {
    await this.#desk.close();
  }
}
