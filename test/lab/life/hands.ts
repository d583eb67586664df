import { setTimeout as delay } from 'node:timers/promises';
import { waitUntil } from '../../support/wait-until.ts';
import { runTmux } from '../run-tmux.ts';
import { captureCommands, parseCapture, type Screen } from '../screen.ts';

/**
 * A person at an agent's terminal: types and looks through tmux itself, in the product's own server, so that nothing of the
 * product carries what is typed or says what is seen.
 */
export class Hands {
  readonly #socket: string;
  readonly #pane: string;

  /** `attach` is the command that signalbox gives to whoever wants to go there: it names server and pane. */
  constructor(attach: readonly string[]) {
    const socket = attach[attach.indexOf('-S') + 1];
    const pane = /%\d+$/.exec(attach.at(-1) ?? '')?.[0];
    if (!socket || !pane) throw new Error(`No server and pane in: ${attach.join(' ')}`);
    this.#socket = socket;
    this.#pane = pane;
  }

  async look(): Promise<Screen> {
    return parseCapture(await this.#tmux(captureCommands(this.#pane)));
  }

  async pid(): Promise<number> {
    return Number(await this.#tmux(['display-message', '-p', '-t', this.#pane, '#{pane_pid}']));
  }

  async scrollback(): Promise<string> {
    return await this.#tmux(['capture-pane', '-p', '-J', '-S', '-', '-t', this.#pane]);
  }

  /** Named keys, one after the other with a person's pause: two Escapes at once are another key to some. */
  async press(keys: readonly string[]): Promise<void> {
    for (const [at, key] of keys.entries()) {
      if (at > 0) await delay(keyPauseMs);
      await this.#tmux(['send-keys', '-t', this.#pane, key]);
    }
  }

  /**
   * Writes a prompt and sends it. Some CLIs swallow an Enter that comes too soon after the text, and how soon depends on the
   * machine's load: it is pressed again as long as the text stands where the cursor is.
   */
  async submit(text: string): Promise<void> {
    const isWritten = (screen: Screen): boolean => standsAtCursor(screen, text);
    await this.#paste(text);
    await waitUntil(`${JSON.stringify(text)} in the composer`, () => this.#sees(isWritten), 60_000);
    for (let tries = 0; tries < 10; tries++) {
      await delay(enterPauseMs);
      await this.press(['Enter']);
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
    await this.#paste(text);
  }

  async copyMode(): Promise<void> {
    await this.#tmux(['copy-mode', '-t', this.#pane]);
  }

  async isInCopyMode(): Promise<boolean> {
    const mode = ['display-message', '-p', '-t', this.#pane, '#{pane_in_mode}'];
    return (await this.#tmux(mode)).trim() === '1';
  }

  async leaveCopyMode(): Promise<void> {
    await this.#tmux(['send-keys', '-t', this.#pane, '-X', 'cancel']);
  }

  /** Sends a prompt that is still there: an Enter that came while the CLI drew everything anew was lost. */
  async nudge(text: string): Promise<void> {
    if (await this.#sees((screen) => standsAtCursor(screen, text))) await this.press(['Enter']);
  }

  async shows(pattern: RegExp, deadlineMs: number): Promise<void> {
    await waitUntil(
      `${pattern} on the screen`,
      () => this.#sees(({ text }) => pattern.test(text)),
      deadlineMs,
    );
  }

  /** A terminal that is gone shows nothing. */
  async #sees(holds: (screen: Screen) => boolean): Promise<boolean> {
    return await this.look().then(holds, () => false);
  }

  async #paste(text: string): Promise<void> {
    await runTmux(this.#socket, ['load-buffer', '-b', 'lab', '-'], { input: text });
    // tmux 3.3a dies of a paste into a dead pane.
    const paste = `paste-buffer -p -d -b lab -t ${this.#pane}`;
    const drop = 'delete-buffer -b lab';
    await this.#tmux(['if', '-F', '-t', this.#pane, '#{pane_dead}', drop, paste]);
  }

  async #tmux(args: readonly string[]): Promise<string> {
    return await runTmux(this.#socket, args, {});
  }
}

/**
 * Its last word: the words before it may have been left on the row above. More may follow it on its row: Copilot 1.0.102 hints at
 * a command's arguments, Qwen 0.24.4 ends with an unseen space.
 */
function standsAtCursor({ text: shown, cursor, exit }: Screen, text: string): boolean {
  const row = shown.split('\n')[cursor.y] ?? '';
  const word = text.slice(-8).trim().split(/\s+/).at(-1) ?? '';
  return exit === undefined && row.includes(word);
}

/** Gemini 0.61.0 swallows an Enter that comes with the text; 300 ms satisfies all of them. */
const enterPauseMs = 300;
const keyPauseMs = 300;
