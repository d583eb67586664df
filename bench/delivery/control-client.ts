import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { quote } from '../../src/terminals/tmux/quoting.ts';

/**
 * A control client of tmux with nothing around it: no worker, no guards, no identity. The floor of
 * everything that is written to a terminal. It takes no output, and no window follows its size.
 */
export class ControlClient {
  readonly #child: ChildProcessWithoutNullStreams;
  /** Answers come in the order of the commands. */
  readonly #waiting: ((lines: readonly string[]) => void)[] = [];
  #block: string[] | undefined;

  constructor(socket: string) {
    const flags = ['-f', 'no-output,ignore-size'];
    this.#child = spawn('tmux', ['-u', '-S', socket, '-C', 'attach-session', ...flags]);
    this.#child.stdin.on('error', () => undefined);
    createInterface({ input: this.#child.stdout }).on('line', (line) => this.#take(line));
  }

  /** As one bracketed paste. Resolves when tmux has handed it to the terminal. */
  async paste(pane: string, text: string): Promise<void> {
    const set = this.#ask(`set-buffer -b bench -- ${quote(text)}`);
    await Promise.all([set, this.#ask(`paste-buffer -p -d -b bench -t ${pane}`)]);
  }

  async enter(pane: string): Promise<void> {
    await this.#ask(`send-keys -t ${pane} Enter`);
  }

  async look(pane: string): Promise<string> {
    return (await this.#ask(`capture-pane -p -t ${pane}`)).join('\n');
  }

  async close(): Promise<void> {
    const ended = new Promise((done) => this.#child.once('exit', done));
    this.#child.stdin.end();
    await ended;
  }

  #ask(command: string): Promise<readonly string[]> {
    return new Promise((done) => {
      this.#waiting.push(done);
      this.#child.stdin.write(`${command}\n`);
    });
  }

  /**
   * The last number of `%begin` is 1 for an answer to this client; the first one, of the attach
   * itself, has a 0.
   */
  #take(line: string): void {
    if (this.#block === undefined) {
      if (/^%begin \d+ \d+ 1$/.test(line)) this.#block = [];
    } else if (/^%(end|error) \d+ \d+ 1$/.test(line)) {
      this.#waiting.shift()?.(this.#block);
      this.#block = undefined;
    } else this.#block.push(line);
  }
}
