import { enterAfterMs } from '../../../src/delivery/routes/watch-paste.ts';
import type { AttachView } from '../../../src/protocol/terminals.ts';
import { systemClock } from '../../../src/shared/clock.ts';
import type { Life } from '../../../test/lab/life/life.ts';
import { ControlClient } from '../control-client.ts';

/**
 * As often and as long as delivery looks: for the text to be shown, and for Enter, after the same
 * pause, to have sent it.
 */
const lookEveryMs = 40;
const showMs = 5000;
const sendMs = 1500;

/** Pastes into the agent's terminal and presses Enter once it is shown, through tmux alone. */
export class PastingHand {
  readonly #life: Life;
  #client: ControlClient | undefined;
  #pane = '';

  constructor(life: Life) {
    this.#life = life;
  }

  async open(): Promise<void> {
    const { argv } = await this.#life.box.ask<AttachView>(['attach', 'lab']);
    this.#pane = /%\d+$/.exec(argv.at(-1) ?? '')?.[0] ?? '';
    this.#client = new ControlClient(this.#life.box.socket);
  }

  /** Gives the time of the last Enter, in milliseconds since 1970. */
  async submit(text: string, hasArrived: () => boolean): Promise<number> {
    const client = this.#client;
    if (!client) throw new Error('It is not open.');
    const before = await client.look(this.#pane);
    await client.paste(this.#pane, text);
    await poll(async () => (await client.look(this.#pane)) !== before, showMs);
    await systemClock.sleep(enterAfterMs);
    let enteredAt = Number.NaN;
    for (let tries = 0; tries < 3 && !hasArrived(); tries++) {
      enteredAt = Date.now();
      await client.enter(this.#pane);
      await poll(async () => hasArrived(), sendMs);
    }
    return enteredAt;
  }

  async close(): Promise<void> {
    await this.#client?.close();
  }
}

async function poll(isSo: () => Promise<boolean>, withinMs: number): Promise<void> {
  const end = performance.now() + withinMs;
  while (!(await isSo()) && performance.now() < end) await systemClock.sleep(lookEveryMs);
}
