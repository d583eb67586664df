import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { enterAfterMs } from '../../../src/delivery/routes/paste.ts';
import type { AttachView } from '../../../src/protocol/terminals.ts';
import { readOffer as readGeminiOffer } from '../../../src/providers/gemini/hooks.ts';
import { readOffer as readKimiOffer } from '../../../src/providers/kimi/hooks.ts';
import type { HookReply } from '../../../src/providers/way-in.ts';
import { systemClock } from '../../../src/shared/clock.ts';
import type { Life } from '../../../test/lab/life/life.ts';
import { ControlClient } from '../control-client.ts';
import { HookDoor } from './hook-door.ts';
import type { ByHand } from './route.ts';

/**
 * As often and as long as delivery looks: for the text to be shown, and for Enter, after the same
 * pause, to have sent it.
 */
const lookEveryMs = 40;
const showMs = 5000;
const sendMs = 1500;

/** A paste and Enter at rest, a hook that answers at once at a turn's end. */
abstract class PastedByHand implements ByHand {
  protected readonly life: Life;
  protected abstract readonly event: string;
  readonly #door: HookDoor;
  #client: ControlClient | undefined;
  #pane = '';

  constructor(life: Life) {
    this.life = life;
    this.#door = new HookDoor(life);
  }

  prepare(): void {
    this.#door.open();
    this.makeUsed();
  }

  async open(): Promise<void> {
    const { argv } = await this.life.box.ask<AttachView>(['attach', 'lab']);
    this.#pane = /%\d+$/.exec(argv.at(-1) ?? '')?.[0] ?? '';
    this.#client = new ControlClient(this.life.box.socket);
  }

  async wake(text: string, hasArrived: () => boolean): Promise<void> {
    const client = this.#client;
    if (!client) throw new Error('It is not open.');
    const before = await client.look(this.#pane);
    await client.paste(this.#pane, text);
    await poll(async () => (await client.look(this.#pane)) !== before, showMs);
    await systemClock.sleep(enterAfterMs);
    for (let tries = 0; tries < 3 && !hasArrived(); tries++) {
      await client.enter(this.#pane);
      await poll(async () => hasArrived(), sendMs);
    }
  }

  async join(text: string): Promise<void> {
    await this.#door.say(this.event, this.reply(text));
  }

  async close(): Promise<void> {
    await this.#client?.close();
  }

  protected abstract reply(text: string): HookReply;
  /** Hooks are there only in a home that has been used. */
  protected abstract makeUsed(): void;
}

export class GeminiByHand extends PastedByHand {
  protected override readonly event = 'AfterAgent';

  protected override reply(text: string): HookReply {
    const body = { session_id: 's', timestamp: 't', prompt_response: 'words' };
    return readGeminiOffer({ event: this.event, body })?.reply(text) ?? refuse();
  }

  protected override makeUsed(): void {
    mkdirSync(join(this.life.home.home, '.gemini', 'tmp'), { recursive: true });
  }
}

export class KimiByHand extends PastedByHand {
  protected override readonly event = 'Stop';

  protected override reply(text: string): HookReply {
    const body = { session_id: 'by-hand' };
    return readKimiOffer({ event: this.event, body })?.reply(text) ?? refuse();
  }

  protected override makeUsed(): void {
    const home = join(this.life.home.home, '.kimi-code');
    mkdirSync(join(home, 'sessions'), { recursive: true });
    writeFileSync(join(home, 'session_index.jsonl'), '');
  }
}

function refuse(): never {
  throw new Error('its hook offers nothing');
}

async function poll(isSo: () => Promise<boolean>, withinMs: number): Promise<void> {
  const end = performance.now() + withinMs;
  while (!(await isSo()) && performance.now() < end) await systemClock.sleep(lookEveryMs);
}
