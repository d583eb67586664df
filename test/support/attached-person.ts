import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Terminal } from '../../src/terminals/terminal.ts';
import type { TmuxWorld } from './tmux.ts';
import { waitUntil } from './wait-until.ts';

let people = 0;

/**
 * A person with a terminal of their own, attached to an agent's: a tmux of theirs is that terminal,
 * so every key comes in as a key does, and their screen can be read.
 */
export class AttachedPerson {
  readonly #world: TmuxWorld;
  readonly #socket: string;

  private constructor(world: TmuxWorld) {
    this.#world = world;
    this.#socket = join(world.folder, `person-${++people}`);
  }

  /** Attached to the agent's own session, or to one that the person has made. */
  static async attach(world: TmuxWorld, terminal: Terminal, session = ''): Promise<AttachedPerson> {
    const person = new AttachedPerson(world);
    onTestFinished(() => person.leave());
    const target = session || world.tmux('display-message', '-p', '-t', terminal.pane, '#S');
    const attach = ['env', '-u', 'TMUX', 'tmux', '-u', '-S', world.socket, 'attach', '-t', target];
    const before = person.#countClients();
    person.#tmux('-f', '/dev/null', 'new-session', '-d', '-x', '100', '-y', '30', '--', ...attach);
    await waitUntil('the person', () => person.#countClients() > before);
    return person;
  }

  type(keys: string): void {
    this.#tmux('send-keys', '-l', keys);
  }

  press(...keys: string[]): void {
    this.#tmux('send-keys', ...keys);
  }

  resize(columns: number, rows: number): void {
    this.#tmux('resize-window', '-x', String(columns), '-y', String(rows));
  }

  /** What the person sees, the status line included. */
  screen(): string {
    return this.#tmux('capture-pane', '-p');
  }

  /** Their terminal is closed; no key is pressed for it. */
  leave(): void {
    spawnSync('tmux', ['-S', this.#socket, 'kill-server']);
  }

  #countClients(): number {
    const listed = this.#world.tmux('list-clients', '-F', '#{client_control_mode}');
    return listed.split('\n').filter((row) => row === '0').length;
  }

  #tmux(...args: string[]): string {
    const ran = spawnSync('tmux', ['-u', '-S', this.#socket, ...args], { encoding: 'utf8' });
    if (ran.status !== 0) throw new Error(`tmux ${args.join(' ')}: ${ran.stderr}`);
    return ran.stdout;
  }
}
