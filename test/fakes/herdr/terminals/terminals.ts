import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { endSession } from './process-info.ts';
import { TmuxControl } from './tmux-control.ts';

export interface Size {
  readonly rows: number;
  readonly cols: number;
}

export interface Launch {
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly size: Size;
}

/** What one pane's program runs in. */
export interface Terminal {
  /** Unique, and new after every restart of the server. */
  readonly id: string;
  readonly window: string;
  readonly pid: number;
  readonly tty: string;
  size: Size;
  /** As the program has set it; empty before. */
  title: string;
}

export interface Screen {
  readonly lines: readonly string[];
  readonly history: number;
  readonly cursor: { readonly x: number; readonly y: number; readonly isShown: boolean };
  readonly size: Size;
  /** Which has no history. */
  readonly isAlternate: boolean;
  /** How the program wants to hear of the mouse, if at all. */
  readonly mouse: 'sgr' | 'x10' | undefined;
}

/** Bytes per `send-keys`: a command of many words is parsed slowly. */
const chunkBytes = 512;

/** Real PTYs: one window of a private tmux server for each pane. */
export class Terminals {
  readonly #tmux: TmuxControl;
  readonly #live = new Map<string, (terminal: Terminal) => void>();
  readonly #known = new Map<string, Terminal>();
  /** Programs that ended before we had heard of their start. */
  readonly #early = new Set<string>();
  #count = 0;

  constructor(folder: string) {
    // A server that was killed may still be ending when the next one starts.
    const socket = join(folder, `pty-${process.pid}.sock`);
    this.#tmux = new TmuxControl(socket, (window) => this.#close(window));
  }

  async start(): Promise<void> {
    await this.#tmux.run(
      ['set-option', '-g', 'exit-unattached', 'on'],
      ['set-option', '-g', 'default-terminal', 'xterm-256color'],
      ['set-option', '-g', 'history-limit', '5000'],
      ['set-option', '-g', 'status', 'off'],
      ['set-option', '-g', 'escape-time', '0'],
      ['set-option', '-g', 'allow-rename', 'off'],
    );
  }

  /** `exited` is called when the program ends by itself, not after `close`. */
  async open(launch: Launch, exited: (terminal: Terminal) => void): Promise<Terminal> {
    const { argv, cwd, env, size } = launch;
    const format = '#{window_id} #{pane_pid} #{pane_tty}';
    // The size is set beforehand: a program that asks for it first thing must not see another one.
    const [, , line = ''] = await Promise.all([
      this.#tmux.run(['set-option', '-t', 'herdr', 'default-size', `${size.cols}x${size.rows}`]),
      this.#tmux.run(['set-option', '-g', '@cwd', cwd]),
      this.#tmux
        .run([
          ...['new-window', '-d', '-t', 'herdr:', '-P', '-F', format],
          // By an option's value: as a word tmux would read it for formats.
          ...['-c', '#{@cwd}'],
          // Through env, since tmux gives a single word to a shell; what tmux itself adds is taken
          // away again.
          ...['--', 'env', ...hidden.flatMap((name) => ['-u', name])],
          ...Object.entries({ ...own, ...env }).map(([name, value]) => `${name}=${value}`),
          ...argv,
        ])
        .then(([first]) => first),
    ]);
    const [window = '', pid, tty = ''] = line.split(' ');
    const id = `term_${microsHex()}${(++this.#count).toString(16)}`;
    const terminal: Terminal = { id, window, pid: Number(pid), tty, size, title: '' };
    this.#known.set(window, terminal);
    this.#live.set(window, exited);
    // Not at once: whoever opened it must know the terminal before it hears of its end.
    if (this.#early.delete(window)) setImmediate(() => this.#close(window));
    return terminal;
  }

  /**
   * Everything in it gets a hangup first, and does not survive for long whatever it does about
   * that.
   */
  async close(terminal: Terminal): Promise<void> {
    this.#live.delete(terminal.window);
    this.#known.delete(terminal.window);
    await endSession(terminal.pid);
    await this.#tmux.run(['kill-window', '-t', terminal.window]).catch(() => undefined);
  }

  /**
   * Those that have another title than when it was last read. tmux gives a program that sets none
   * the host's name.
   */
  async readTitles(): Promise<readonly { terminal: Terminal; before: string }[]> {
    const format = '#{window_id} #{?#{==:#{pane_title},#{host}},,#{pane_title}}';
    const lines = await this.#tmux.run(['list-windows', '-a', '-F', format]);
    return lines.flatMap((line) => {
      const terminal = this.#known.get(line.slice(0, line.indexOf(' ')));
      const title = line.slice(line.indexOf(' ') + 1);
      if (!terminal || terminal.title === title) return [];
      const before = terminal.title;
      terminal.title = title;
      return [{ terminal, before }];
    });
  }

  async write(terminal: Terminal, bytes: Uint8Array): Promise<void> {
    await this.#tmux.run(...sendKeys(terminal, bytes));
  }

  /** Text as a paste if the program switched mode 2004 on, then keys, in one go. */
  async input(terminal: Terminal, text: string, keys: Uint8Array): Promise<void> {
    if (text === '') return this.write(terminal, keys);
    await this.#tmux.run(
      ['set-buffer', '-b', 'input', '--', text],
      ['paste-buffer', '-p', '-r', '-d', '-b', 'input', '-t', terminal.window],
      ...sendKeys(terminal, keys),
    );
  }

  async resize(terminal: Terminal, size: Size): Promise<void> {
    if (terminal.size.rows === size.rows && terminal.size.cols === size.cols) return;
    terminal.size = size;
    const { window } = terminal;
    await this.#tmux
      .run(['resize-window', '-t', window, '-x', `${size.cols}`, '-y', `${size.rows}`])
      .catch(() => undefined);
  }

  /**
   * Until the program sees the size: tmux (3.3a) holds a second change back for a quarter of a
   * second, herdr does not.
   */
  async untilResized({ tty, size }: Terminal): Promise<void> {
    const wanted = `${size.rows} ${size.cols}`;
    for (let i = 0; i < 100; i++) {
      const isThere = await new Promise((done) => {
        execFile('stty', ['-F', tty, 'size'], (_, stdout) => done(stdout.trim() === wanted));
      });
      if (isThere) return;
      await delay(10);
    }
  }

  /** The visible rows, or so many of the last ones with the scrollback above them. */
  async capture(terminal: Terminal, wish: CaptureWish): Promise<Screen> {
    const { window } = terminal;
    const flags = [...(wish.isAnsi ? ['-e'] : []), ...(wish.isJoined ? ['-J'] : [])];
    const format = ['history_size', 'cursor_x', 'cursor_y', 'pane_width', 'pane_height']
      .concat('cursor_flag', 'alternate_on', 'mouse_any_flag', 'mouse_sgr_flag')
      .map((name) => `#{${name}}`)
      .join(' ');
    const ask = async () => {
      const [line = ''] = await this.#tmux.run(['display-message', '-p', '-t', window, format]);
      return line.split(' ').map(Number);
    };
    const [above = 0, x = 0, y = 0, cols = 0, rows = 0, shown, alternate, any, sgr] = await ask();
    const history = alternate ? 0 : above;
    const first = Math.max(-history, rows - (wish.lastRows ?? rows));
    const lines =
      wish.lastRows === 0
        ? []
        : await this.#tmux.run([
            ...['capture-pane', '-p', ...flags, '-t', window],
            ...['-S', `${first}`, '-E', `${rows - 1}`],
          ]);
    return {
      lines,
      history,
      cursor: { x, y, isShown: shown === 1 },
      size: { rows, cols },
      isAlternate: alternate === 1,
      mouse: any ? (sgr ? 'sgr' : 'x10') : undefined,
    };
  }

  /** Also ends what a hangup would leave alive. */
  async end(): Promise<void> {
    this.#live.clear();
    await Promise.all([...this.#known.values()].map(({ pid }) => endSession(pid)));
    await this.#tmux.end();
  }

  #close(window: string): void {
    const terminal = this.#known.get(window);
    const exited = this.#live.get(window);
    this.#known.delete(window);
    this.#live.delete(window);
    if (terminal) exited?.(terminal);
    else this.#early.add(window);
  }
}

export interface CaptureWish {
  readonly isAnsi?: boolean;
  /** Wrapped lines as the one line that was printed. */
  readonly isJoined?: boolean;
  /** Counted in rows of the screen from its very bottom, blank ones too. */
  readonly lastRows?: number;
}

/** What herdr itself sets; whoever starts a pane may set something else. */
const own = { TERM: 'xterm-256color', COLORTERM: 'truecolor' };

/** What tmux tells its programs and herdr does not; and what herdr takes away. */
const hidden = ['TMUX', 'TMUX_PANE', 'TERM_PROGRAM', 'TERM_PROGRAM_VERSION', 'CODEX_THREAD_ID'];

export function microsHex(): string {
  return Math.floor((performance.timeOrigin + performance.now()) * 1000).toString(16);
}

function sendKeys(terminal: Terminal, bytes: Uint8Array): readonly (readonly string[])[] {
  const commands: string[][] = [];
  for (let i = 0; i < bytes.length; i += chunkBytes) {
    const hex = [...bytes.subarray(i, i + chunkBytes)].map((byte) => byte.toString(16));
    commands.push(['send-keys', '-t', terminal.window, '-H', ...hex]);
  }
  return commands;
}
