import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { runTmux } from '../lab/run-tmux.ts';
import { waitUntil } from '../support/wait-until.ts';

export interface TypedLine {
  readonly code: number;
  /** All that stands on the screen and above it since the line was typed. */
  readonly screen: string;
}

/** Whatever a line takes on a busy machine. */
const patienceMs = 180_000;

const prompt = '$ ';

/**
 * A person's shell: an interactive bash in a terminal of its own, in which lines are typed key by
 * key. It is one shell for all lines, so variables and folders stay from one to the next.
 */
export class PageShell {
  readonly #folder: string;
  readonly #socket: string;
  #typed = 0;

  private constructor(folder: string) {
    this.#folder = folder;
    this.#socket = join(folder, 'tmux.sock');
  }

  static async open(
    place: {
      readonly folder: string;
      readonly cwd: string;
      readonly env: Readonly<Record<string, string>>;
    },
    { columns, rows } = { columns: 100, rows: 40 },
  ): Promise<PageShell> {
    const shell = new PageShell(mkdtempSync(join(place.folder, 'shell-')));
    const ends = join(shell.#folder, 'ends');
    mkdirSync(ends);
    const env = {
      ...place.env,
      PS1: prompt,
      // Bash runs it before each prompt: the nth one tells how the line before it ended.
      PROMPT_COMMAND: `code=$?; lines=$((lines + 1)); echo $code > "${ends}/new"; mv "${ends}/new" "${ends}/$lines"`,
    };
    const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`);
    const bash = ['env', '-i', ...variables, 'TERM=tmux-256color', 'bash', '--norc', '--noprofile'];
    const size = ['-x', String(columns), '-y', String(rows)];
    await shell.#tmux('new-session', '-d', ...size, '-c', place.cwd, ...bash);
    await shell.#tmux('set-option', '-g', 'history-limit', '5000');
    await shell.#ended(1);
    return shell;
  }

  /** Types a line and presses Enter; `meanwhile` may press keys before it ends. */
  async type(line: string, meanwhile?: () => Promise<void>): Promise<TypedLine> {
    await this.#prompted();
    await this.#tmux('send-keys', '-R', '-t', ':');
    await this.#tmux('clear-history', '-t', ':');
    await this.#tmux('send-keys', '-t', ':', '-l', line);
    await this.press('Enter');
    const nth = ++this.#typed + 1;
    await meanwhile?.();
    const code = await this.#ended(nth);
    return { code, screen: await this.screen() };
  }

  async press(...keys: readonly string[]): Promise<void> {
    await this.#tmux('send-keys', '-t', ':', ...keys);
  }

  /** What has the keyboard. */
  async program(): Promise<string> {
    const asked = ['display-message', '-p', '-t', ':', '#{pane_current_command}'];
    return (await this.#tmux(...asked)).trim();
  }

  /** What a person sees of it now. */
  visible(): Promise<string> {
    return this.#tmux('capture-pane', '-p', '-t', ':');
  }

  screen(): Promise<string> {
    return this.#tmux('capture-pane', '-p', '-J', '-S', '-', '-t', ':');
  }

  async close(): Promise<void> {
    await this.#tmux('kill-server').catch(() => undefined); // It may have ended by itself.
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /**
   * The shell reads keys. What is pressed before goes through the terminal's own line editing,
   * where a Ctrl-d for the command that is about to start is lost.
   */
  async #prompted(): Promise<void> {
    // Behind the words of a command that ended them without a line feed, too.
    const isThere = async (): Promise<boolean> =>
      (await this.#tmux('capture-pane', '-p', '-t', ':')).trimEnd().endsWith(prompt.trim());
    await this.#shown('the prompt', isThere);
  }

  async #ended(nth: number): Promise<number> {
    const file = join(this.#folder, 'ends', String(nth));
    await this.#shown(`the end of line ${nth - 1}`, () => existsSync(file));
    return Number(readFileSync(file, 'utf8'));
  }

  /** Waits, and fails with the screen. */
  async #shown(what: string, isThere: () => boolean | Promise<boolean>): Promise<void> {
    try {
      await waitUntil(what, isThere, patienceMs);
    } catch (error) {
      throw new Error(`${String(error)}\n${await this.screen()}`);
    }
  }

  #tmux(...args: readonly string[]): Promise<string> {
    return runTmux(this.#socket, args, {});
  }
}
