import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readOffer as readGeminiOffer } from '../../../src/providers/gemini/hooks.ts';
import { readOffer as readKimiOffer } from '../../../src/providers/kimi/hooks.ts';
import type { HookReply } from '../../../src/providers/way-in.ts';
import type { Life } from '../../../test/lab/life/life.ts';
import { HookDoor } from './hook-door.ts';
import { PastingHand } from './pasting-hand.ts';
import type { ByHand } from './route.ts';

/** A paste and Enter at rest, a hook that answers at once at a turn's end. */
abstract class PastedByHand implements ByHand {
  protected readonly life: Life;
  protected abstract readonly event: string;
  readonly #door: HookDoor;
  readonly #hand: PastingHand;

  constructor(life: Life) {
    this.life = life;
    this.#door = new HookDoor(life);
    this.#hand = new PastingHand(life);
  }

  prepare(): void {
    this.#door.open();
    this.makeUsed();
  }

  open(): Promise<void> {
    return this.#hand.open();
  }

  async wake(text: string, hasArrived: () => boolean): Promise<void> {
    await this.#hand.submit(text, hasArrived);
  }

  async join(text: string): Promise<void> {
    await this.#door.say(this.event, this.reply(text));
  }

  close(): Promise<void> {
    return this.#hand.close();
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
