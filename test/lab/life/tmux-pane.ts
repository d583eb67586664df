import { runTmux } from '../run-tmux.ts';
import { captureCommands, parseCapture, type Screen } from '../screen.ts';
import { type LabPane, lastWord } from './lab-pane.ts';

export class TmuxPane implements LabPane {
  readonly seesCursor = true;
  readonly #socket: string;
  readonly #pane: string;

  private constructor(socket: string, pane: string) {
    this.#socket = socket;
    this.#pane = pane;
  }

  static ofAttach(attach: readonly string[]): TmuxPane {
    const socket = attach[attach.indexOf('-S') + 1];
    const pane = /%\d+$/.exec(attach.at(-1) ?? '')?.[0];
    if (!socket || !pane) throw new Error(`No server and pane in: ${attach.join(' ')}`);
    return new TmuxPane(socket, pane);
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

  async press(key: string): Promise<void> {
    await this.#tmux(['send-keys', '-t', this.#pane, key]);
  }

  async paste(text: string): Promise<void> {
    await runTmux(this.#socket, ['load-buffer', '-b', 'lab', '-'], { input: text });
    // tmux 3.3a dies of a paste into a dead pane.
    const paste = `paste-buffer -p -d -b lab -t ${this.#pane}`;
    const drop = 'delete-buffer -b lab';
    await this.#tmux(['if', '-F', '-t', this.#pane, '#{pane_dead}', drop, paste]);
  }

  async resize(columns: number, rows: number): Promise<void> {
    await this.#tmux(['resize-window', '-t', this.#pane, '-x', `${columns}`, '-y', `${rows}`]);
  }

  /**
   * Where the cursor is. More may follow it on its row: Copilot 1.0.102 hints at a command's
   * arguments, Qwen 0.24.4 ends with an unseen space. Or just above it: on a busy machine Gemini
   * 0.61.0 takes Enter for a new line of what was pasted.
   */
  isWritten({ text: shown, cursor, exit }: Screen, text: string): boolean {
    const rows = shown.split('\n');
    const [above = '', row = ''] = [rows[cursor.y - 1], rows[cursor.y]];
    const last = row.trim() === '' && cursor.x > 0 ? above : row;
    return exit === undefined && last.includes(lastWord(text));
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

  async close(): Promise<void> {
    await this.#tmux(['kill-pane', '-t', this.#pane]);
  }

  async #tmux(args: readonly string[]): Promise<string> {
    return await runTmux(this.#socket, args, {});
  }
}
