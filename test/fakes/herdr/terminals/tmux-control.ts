import { type ChildProcess, spawn } from 'node:child_process';
import { onLine } from '../wire/lines.ts';

interface Pending {
  readonly done: (lines: readonly string[]) => void;
  readonly fail: (error: Error) => void;
}

/**
 * In the first window: when the fake is gone, the tmux server goes. `exit-unattached` is not
 * enough: a control client of tmux 3.3a whose owner was killed may sleep for good, and its server
 * with it (2 of 20).
 */
const keep =
  'while grep -qs "^State:[[:space:]][^Z]" "/proc/$1/status"; do sleep 0.1; done; kill -9 "$PPID"';

/**
 * A private tmux server behind one control client, as a terminal emulator that needs no native
 * dependency. Its first window keeps it alive while there are no panes. It ends with the fake, so
 * killing the fake kills what runs in it, as the real one's panes die with their PTYs.
 */
export class TmuxControl {
  readonly #client: ChildProcess;
  readonly #ended: Promise<void>;
  readonly #pending: Pending[] = [];
  readonly #windowClosed: (window: string) => void;
  #block: { readonly tag: string; readonly isMine: boolean; readonly lines: string[] } | undefined;

  constructor(socket: string, windowClosed: (window: string) => void) {
    this.#windowClosed = windowClosed;
    const args = ['-u', '-S', socket, '-f', '/dev/null', '-C'];
    const program = ['sh', '-c', keep, 'keeper', String(process.pid)];
    const keeper = ['new-session', '-s', 'herdr', '-n', 'keeper', '--', ...program];
    this.#client = spawn('tmux', [...args, ...keeper], { stdio: ['pipe', 'pipe', 'ignore'] });
    this.#client.stdin?.on('error', () => undefined); // The server may be gone before we are.
    const output = this.#client.stdout;
    if (!output) throw new Error('tmux has no output');
    onLine(output, (line) => this.#read(line));
    this.#ended = new Promise((done) => {
      this.#client.once('close', () => {
        for (const { fail } of this.#pending.splice(0)) fail(new Error('the tmux server is gone'));
        done();
      });
    });
  }

  /** The lines that the command printed. Commands that are given together are written together. */
  async run(...commands: readonly (readonly string[])[]): Promise<readonly string[]> {
    const answers = commands.map(
      () => new Promise<readonly string[]>((done, fail) => this.#pending.push({ done, fail })),
    );
    this.#client.stdin?.write(commands.map((words) => `${words.map(quote).join(' ')}\n`).join(''));
    const [first = []] = await Promise.all(answers);
    return first;
  }

  async end(): Promise<void> {
    this.#client.stdin?.write('kill-server\n');
    this.#client.stdin?.end();
    await this.#ended;
  }

  #read(line: string): void {
    const [, word = '', tag = '', flags = ''] =
      /^%(begin|end|error) (\d+ \d+) (\d+)$/.exec(line) ?? [];
    if (this.#block) {
      if (word === 'begin' || tag !== this.#block.tag) this.#block.lines.push(line);
      else this.#finish(word === 'error');
    } else if (word === 'begin') {
      this.#block = { tag, isMine: flags === '1', lines: [] };
    } else {
      const [, window] = /^%(?:unlinked-)?window-close (@\d+)/.exec(line) ?? [];
      if (window) this.#windowClosed(window);
    }
  }

  #finish(isError: boolean): void {
    const block = this.#block;
    this.#block = undefined;
    if (!block?.isMine) return;
    const pending = this.#pending.shift();
    if (isError) pending?.fail(new Error(`tmux: ${block.lines.join(' ')}`));
    else pending?.done(block.lines);
  }
}

/**
 * For tmux's own parser: control bytes as octal escapes, so that a command is one line whatever it
 * carries.
 */
function quote(word: string): string {
  if (/^[A-Za-z0-9@%_./:=-]+$/.test(word) && !word.startsWith('%')) return word;
  const escaped = word
    .replaceAll(/["\\$~]/g, '\\$&')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is replaced.
    .replaceAll(/[\x01-\x1f\x7f]/g, (byte) => `\\${octal(byte.charCodeAt(0))}`);
  return `"${escaped}"`;
}

function octal(code: number): string {
  return code.toString(8).padStart(3, '0');
}
