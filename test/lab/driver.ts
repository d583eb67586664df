import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type FoundProcess, findFamily, isAlive, readProcess, signalProcess } from './processes.ts';
import { runTmux } from './run-tmux.ts';
import { captureCommands, parseCapture, type Screen } from './screen.ts';

export interface Start {
  readonly argv: readonly string[];
  /** The whole environment: nothing of ours is inherited. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly columns?: number;
  readonly rows?: number;
}

/**
 * One program in a tmux server of its own, driven directly. This is the recorder's hand, not the
 * product's: it spawns a tmux client for each act and types without asking.
 */
export class LabTerminal {
  readonly #folder: string;
  readonly #mark: string;
  readonly #pid: number;
  /** Undefined when it ended before we could look. */
  readonly #root: FoundProcess | undefined;

  private constructor(folder: string, mark: string, pid: number) {
    this.#folder = folder;
    this.#mark = mark;
    this.#pid = pid;
    this.#root = readProcess(pid);
  }

  static async open(start: Start): Promise<LabTerminal> {
    const folder = mkdtempSync(join(tmpdir(), 'signalbox-lab-tmux-'));
    const mark = `SIGNALBOX_LAB_TERMINAL=${randomUUID()}`;
    const [markName = '', markValue = ''] = mark.split('=');
    const { columns = 120, rows = 40 } = start;
    const size = ['-x', String(columns), '-y', String(rows)];
    try {
      const pid = await runTmux(
        socketIn(folder),
        [
          ...['start-server', ';', 'set', '-g', 'default-terminal', 'tmux-256color', ';'],
          ...[
            'set',
            '-g',
            'remain-on-exit',
            'on',
            ';',
            'set',
            '-g',
            'history-limit',
            '100000',
            ';',
          ],
          // The line that says "Pane is dead" would scroll the program's last screen.
          ...['set', '-g', 'status', 'off', ';', 'set', '-g', 'remain-on-exit-format', '', ';'],
          // A single argument would go through a shell; with `env` in front there are always two.
          ...[
            'new-session',
            '-d',
            '-s',
            'lab',
            ...size,
            '-c',
            start.cwd,
            '-P',
            '-F',
            '#{pane_pid}',
          ],
          ...['--', 'env', ...start.argv],
        ],
        { env: { ...start.env, [markName]: markValue } },
      );
      return new LabTerminal(folder, mark, Number(pid));
    } catch (error) {
      rmSync(folder, { recursive: true, force: true });
      throw error;
    }
  }

  get pid(): number {
    return this.#pid;
  }

  /** For whoever wants to look: `tmux -S <socket> attach`. */
  get socket(): string {
    return socketIn(this.#folder);
  }

  /** One bracketed paste, as from a clipboard. */
  async paste(text: string): Promise<void> {
    await this.#tmux(['load-buffer', '-b', 'lab', '-'], text);
    // tmux 3.3a dies of a paste into a dead pane.
    const paste = 'paste-buffer -p -d -b lab -t lab';
    await this.#tmux(['if', '-F', '-t', 'lab', '#{pane_dead}', 'delete-buffer -b lab', paste]);
  }

  /** Characters as typed by a quick hand. */
  async type(text: string): Promise<void> {
    await this.#tmux(['send-keys', '-t', 'lab', '-l', '--', text]);
  }

  /** Named keys: `Enter`, `Escape`, `C-r`, `Up`. */
  async keys(...names: readonly string[]): Promise<void> {
    await this.#tmux(['send-keys', '-t', 'lab', ...names]);
  }

  /**
   * Types a prompt and sends it. Gemini swallows an Enter that comes with the text; 300 ms
   * satisfies all of them.
   */
  async prompt(text: string): Promise<void> {
    await this.paste(text);
    await delay(300);
    await this.keys('Enter');
  }

  async resize(columns: number, rows: number): Promise<void> {
    await this.#tmux(['resize-window', '-t', 'lab', '-x', String(columns), '-y', String(rows)]);
  }

  async capture(): Promise<Screen> {
    return parseCapture(await this.#tmux(captureCommands('lab')));
  }

  /** What has scrolled off and what is on the screen, as plain text with wrapped lines joined. */
  async scrollback(): Promise<string> {
    return await this.#tmux(['capture-pane', '-p', '-J', '-S', '-', '-t', 'lab']);
  }

  /**
   * Looks every 50 ms until the condition holds; throws with the last screen when it never does.
   */
  async waitFor(
    what: string,
    holds: (screen: Screen) => boolean,
    deadlineMs = 20_000,
  ): Promise<Screen> {
    const startedAt = performance.now();
    for (;;) {
      const screen = await this.capture();
      if (holds(screen)) return screen;
      if (performance.now() - startedAt > deadlineMs) {
        throw new Error(
          `Not within ${deadlineMs} ms: ${what}. Title ${JSON.stringify(screen.title)}, screen:\n${screen.text}`,
        );
      }
      await delay(50);
    }
  }

  /** The screen after it has not changed for a while. */
  async settled(quietMs = 500, deadlineMs = 20_000): Promise<Screen> {
    let last = '';
    let since = performance.now();
    return await this.waitFor(
      `a screen that stands still for ${quietMs} ms`,
      (screen) => {
        const now = JSON.stringify(screen);
        if (now !== last) since = performance.now();
        last = now;
        return performance.now() - since >= quietMs;
      },
      deadlineMs,
    );
  }

  /** The tmux server, the program and all that came from it. */
  processes(): readonly FoundProcess[] {
    return findFamily(this.#root, this.#mark);
  }

  /** Ends the server and everything that came from the program, and makes sure of it. */
  async end(): Promise<void> {
    const known = new Map(this.processes().map((found) => [found.pid, found]));
    await this.#tmux(['kill-server']).catch(() => undefined);
    // A hangup is enough for most; Gemini's launcher ignores SIGTERM as well.
    for (const signal of [undefined, 'SIGTERM', 'SIGKILL', 'SIGKILL'] as const) {
      for (const found of this.processes()) known.set(found.pid, found);
      if (signal) for (const found of known.values()) signalProcess(found, signal);
      const startedAt = performance.now();
      while (performance.now() - startedAt < 2000) {
        const left = [...known.values(), ...this.processes()].filter(isAlive);
        if (left.length === 0) {
          rmSync(this.#folder, { recursive: true, force: true });
          return;
        }
        await delay(25);
      }
    }
    const left = this.processes().map(({ pid, command }) => `${pid} ${command}`);
    throw new Error(`These survived SIGKILL: ${left.join(', ')}`);
  }

  async #tmux(args: readonly string[], input = ''): Promise<string> {
    return await runTmux(this.socket, args, { input });
  }
}

function socketIn(folder: string): string {
  return join(folder, 'tmux');
}
