import { setTimeout as delay } from 'node:timers/promises';
import { waitUntil } from '../../support/wait-until.ts';
import type { Screen } from '../screen.ts';
import { HerdrPane } from './herdr-pane.ts';
import type { LabPane } from './lab-pane.ts';
import { TmuxPane } from './tmux-pane.ts';

/**
 * A person at an agent's terminal: types and looks through tmux or herdr itself, in the product's
 * own server, so that nothing of the product carries what is typed or says what is seen.
 */
export class Hands {
  readonly #pane: LabPane;

  /**
   * `attach` is the command that signalbox gives to whoever wants to go there: it names server and
   * pane, or herdr's terminal.
   */
  constructor(attach: readonly string[], herdrSocket = '') {
    const isHerdr = attach[0] === 'herdr';
    this.#pane = isHerdr
      ? new HerdrPane(herdrSocket, attach.at(-1) ?? '')
      : TmuxPane.ofAttach(attach);
  }

  look(): Promise<Screen> {
    return this.#pane.look();
  }

  pid(): Promise<number> {
    return this.#pane.pid();
  }

  scrollback(): Promise<string> {
    return this.#pane.scrollback();
  }

  /** The terminal itself goes, with whatever runs in it. */
  close(): Promise<void> {
    return this.#pane.close();
  }

  /**
   * Named keys, one after the other with a person's pause: two Escapes at once are another key to
   * some.
   */
  async press(keys: readonly string[], pauseMs = keyPauseMs): Promise<void> {
    for (const [at, key] of keys.entries()) {
      if (at > 0) await delay(pauseMs);
      await this.#pane.press(key);
    }
  }

  /**
   * Writes a prompt and sends it. Some CLIs swallow an Enter that comes too soon after the text,
   * and how soon depends on the machine's load: it is pressed again as long as the text stands
   * where the cursor is.
   */
  async submit(text: string): Promise<void> {
    const isWritten = (screen: Screen): boolean => this.#pane.isWritten(screen, text);
    await this.#pane.paste(text);
    await waitUntil(`${JSON.stringify(text)} in the composer`, () => this.#sees(isWritten), 60_000);
    for (let tries = 0; tries < 10; tries++) {
      await delay(enterPauseMs);
      await this.press(['Enter']);
      // What was sent stands on the screen as well: whether it went is seen at the model.
      if (!this.#pane.seesCursor) return;
      const isSent = await waitUntil(
        'the prompt sent',
        async () => !(await this.#sees(isWritten)),
        3000,
      ).then(
        () => true,
        () => false,
      );
      if (isSent) return;
    }
    throw new Error(`Enter did not send ${JSON.stringify(text)}.`);
  }

  /** Writes into the composer and leaves it there: a draft. */
  async write(text: string): Promise<void> {
    await this.#pane.paste(text);
  }

  resize(columns: number, rows: number): Promise<void> {
    return this.#pane.resize(columns, rows);
  }

  copyMode(): Promise<void> {
    return this.#pane.copyMode();
  }

  isInCopyMode(): Promise<boolean> {
    return this.#pane.isInCopyMode();
  }

  leaveCopyMode(): Promise<void> {
    return this.#pane.leaveCopyMode();
  }

  /**
   * Sends a prompt that is still there: an Enter that came while the CLI drew everything anew was
   * lost.
   */
  async nudge(text: string): Promise<void> {
    if (await this.#sees((screen) => this.#pane.isWritten(screen, text)))
      await this.press(['Enter']);
  }

  async shows(pattern: RegExp, deadlineMs: number): Promise<void> {
    await waitUntil(
      `${pattern} on the screen`,
      () => this.#sees(({ text }) => pattern.test(text)),
      deadlineMs,
    );
  }

  /** Right now. */
  sees(pattern: RegExp): Promise<boolean> {
    return this.#sees(({ text }) => pattern.test(text));
  }

  /** A terminal that is gone shows nothing. */
  async #sees(holds: (screen: Screen) => boolean): Promise<boolean> {
    return await this.look().then(holds, () => false);
  }
}

/** Gemini 0.61.0 swallows an Enter that comes with the text; 300 ms satisfies all of them. */
const enterPauseMs = 300;
export const keyPauseMs = 300;
