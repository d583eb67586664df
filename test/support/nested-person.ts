import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { waitUntil } from './wait-until.ts';

/**
 * Somebody who works in a shell in a tmux of their own. Another tmux is the terminal around it: so
 * their own client is a real one, which a wrong key could take away, and their screen can be read.
 */
export class NestedPerson {
  readonly #own: string;
  readonly #around: string;
  readonly #rows: number;
  #runs = 0;

  private constructor(folder: string, name: string, rows: number) {
    this.#own = join(folder, `own-${name}`);
    this.#around = join(folder, `around-${name}`);
    this.#rows = rows;
  }

  static async open(
    folder: string,
    name: string,
    columns: number,
    rows: number,
    env: Readonly<Record<string, string>> = {},
  ): Promise<NestedPerson> {
    // Their own status line takes one row of the terminal around it.
    const person = new NestedPerson(folder, name, rows);
    onTestFinished(() => {
      for (const socket of [person.#own, person.#around]) {
        spawnSync('tmux', ['-S', socket, 'kill-server']);
      }
    });
    const size = ['-x', String(columns), '-y', String(rows + 1)];
    const variables = Object.entries(env).flatMap(([key, value]) => ['-e', `${key}=${value}`]);
    tmux(
      person.#own,
      ...['-f', '/dev/null', 'new-session', '-d', '-s', 'mine'],
      ...[...size, ...variables, '--', 'sh', '-i'],
    );
    const client = ['env', '-u', 'TMUX', 'tmux', '-u', '-S', person.#own, 'attach'];
    tmux(person.#around, '-f', '/dev/null', 'new-session', '-d', ...size, 'sleep 86400');
    tmux(person.#around, 'set-option', '-g', 'status', 'off', ';', 'new-window', '--', ...client);
    await waitUntil('the person', () => tmux(person.#own, 'list-clients') !== '');
    return person;
  }

  /** What programs in their shell find in TMUX. */
  get variable(): string {
    return `${this.#own},1,0`;
  }

  /** Types a command line, and what tells when it has ended. */
  run(words: readonly string[]): void {
    const line = words.map((word) => `'${word}'`).join(' ');
    tmux(this.#around, 'send-keys', '-l', `${line}; echo back-$((${++this.#runs} + 41)): $?`);
    tmux(this.#around, 'send-keys', 'Enter');
  }

  /** One after another, as a hand does. */
  press(...keys: readonly string[]): void {
    for (const key of keys) tmux(this.#around, 'send-keys', key);
  }

  /** Their shell and all that runs in it go, as when a window is closed or a line breaks. */
  vanish(): void {
    tmux(this.#own, 'kill-server');
  }

  look(): string {
    return tmux(this.#around, 'capture-pane', '-p');
  }

  /** The last row of what runs in their own tmux. */
  line(): string {
    return this.look().split('\n')[this.#rows - 1] ?? '';
  }

  /** Their shell has its terminal again, and their own tmux has kept them; the exit code. */
  async isBack(): Promise<number> {
    const sign = new RegExp(`^back-${this.#runs + 41}: (\\d+)`, 'm');
    await waitUntil('the shell', () => sign.test(this.look()));
    expect(tmux(this.#own, 'list-clients', '-F', '#{session_name}').trim()).toBe('mine');
    return Number(sign.exec(this.look())?.[1]);
  }
}

function tmux(socket: string, ...args: readonly string[]): string {
  const env = { ...process.env, TMUX: '', PS1: '$ ' };
  const ran = spawnSync('tmux', ['-u', '-S', socket, ...args], { encoding: 'utf8', env });
  if (ran.status !== 0) throw new Error(`tmux ${args.join(' ')}: ${ran.stderr}`);
  return ran.stdout;
}
