import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { waitUntil } from '../../support/wait-until.ts';
import { runTmux } from '../run-tmux.ts';

interface TypedCommand {
  /** When the shell came to it, milliseconds since 1970. */
  readonly startedAt: number;
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * A person's own terminal beside the agents': whoever types a command there is the user (rule 52).
 * Its tmux server is nobody's child, so nothing above it speaks against the person.
 */
export class UserTerminal {
  readonly #folder: string;
  readonly #env: Readonly<Record<string, string>>;
  #isUp = false;
  #count = 0;

  constructor(state: string, env: Readonly<Record<string, string>>) {
    this.#folder = mkdtempSync(join(state, 'user-'));
    this.#env = env;
  }

  /** Types one command line and waits for its end. */
  async run(words: readonly string[], withinMs: number): Promise<TypedCommand> {
    if (!this.#isUp) await this.#tmux('new-session', '-d', '-s', 'user', 'sleep', '86400');
    this.#isUp = true;
    const at = join(this.#folder, `run-${this.#count++}`);
    const shell =
      'at=$1; shift; date +%s%3N > "$at.start"; ' +
      '"$@" > "$at.out" 2> "$at.err"; echo $? > "$at.new"; mv "$at.new" "$at.end"';
    const variables = Object.entries(this.#env).flatMap(([name, value]) => [
      '-e',
      `${name}=${value}`,
    ]);
    await this.#tmux('new-window', '-d', ...variables, 'sh', '-c', shell, 'sh', at, ...words);
    await waitUntil(
      `the end of ${words.slice(2, 4).join(' ')}`,
      () => existsSync(`${at}.end`),
      withinMs,
    );
    const read = (end: string): string => readFileSync(`${at}.${end}`, 'utf8');
    const startedAt = Number(read('start'));
    return { startedAt, code: Number(read('end')), stdout: read('out'), stderr: read('err') };
  }

  async close(): Promise<void> {
    if (this.#isUp) await this.#tmux('kill-server').catch(() => undefined);
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #tmux(...args: readonly string[]): Promise<unknown> {
    return runTmux(join(this.#folder, 'tmux.sock'), args, {});
  }
}
