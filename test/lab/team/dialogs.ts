import type { AttachView } from '../../../src/protocol/terminals.ts';
import { CannotBe } from '../life/check.ts';
import { Hands } from '../life/hands.ts';
import type { Life } from '../life/life.ts';
import type { StatusEvent } from '../life/status-log.ts';

/** A dialog is not drawn at once, and some ignore a key in its first moments. */
const drawnAfterMs = 1200;
const againAfterMs = 4000;

/**
 * Questions that a CLI asks a person in the middle of a case. No case needs one: whoever asks
 * cannot be driven by tools alone, and the screen is kept as the proof. Only where the lab is told
 * to answer as a person would does it press keys.
 */
export class Dialogs {
  readonly #life: Life;
  readonly #approveKeys: readonly string[] | undefined;
  /** When keys were last pressed, by agent. */
  readonly #pressedAt = new Map<string, number>();
  /** How many were answered. */
  answered = 0;

  constructor(life: Life, approveKeys: readonly string[] | undefined) {
    this.#life = life;
    this.#approveKeys = approveKeys;
  }

  /** Throws what is asked; or answers it. */
  async attend(): Promise<void> {
    const { log } = this.#life;
    const latest = new Map(log.events.map((event) => [event.agent, event]));
    const asking = [...latest.values()].find(
      ({ status, at }) => status === 'waiting' && Date.now() - at > drawnAfterMs,
    );
    if (!asking) return;
    const hands = await this.#handsOf(asking);
    const { text } = await hands.look();
    if (!this.#approveKeys) {
      await hands.press(this.#life.lab.denyKeys);
      const question = cutQuestion(text, this.#life.home.cwd);
      throw new CannotBe(`it asks a person: ${question}`, 'asks-person');
    }
    if (Date.now() - (this.#pressedAt.get(asking.agent) ?? 0) < againAfterMs) return;
    this.#pressedAt.set(asking.agent, Date.now());
    this.answered++;
    await hands.press(this.#approveKeys);
  }

  async #handsOf({ agent }: StatusEvent): Promise<Hands> {
    const { argv } = await this.#life.box.ask<AttachView>(['attach', agent]);
    return new Hands(argv);
  }
}

/**
 * What stands at the end of the screen, on one line: the question and its answers, without what is
 * of this run alone.
 */
function cutQuestion(screen: string, cwd: string): string {
  const lines = screen
    .split('\n')
    .map((line) => line.replaceAll(/[─│╭╮╰╯━┃]/g, ' ').trim())
    .filter((line) => line !== '' && !line.includes(cwd) && !line.includes('::play'));
  return lines.slice(-9).join(' / ');
}
