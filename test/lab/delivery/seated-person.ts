import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AttachView } from '../../../src/protocol/terminals.ts';
import { waitUntil } from '../../support/wait-until.ts';
import type { Life } from '../life/life.ts';
import { runTmux } from '../run-tmux.ts';

export interface Size {
  readonly columns: number;
  readonly rows: number;
}

/**
 * A person who has attached to the agent with a terminal of their own: a tmux around it is that
 * terminal. Keys that are sent into the agent's pane by name, as `Hands` sends them, are no keys of
 * a person to the product's tmux; these are.
 */
export class SeatedPerson {
  readonly #life: Life;
  readonly #folder = mkdtempSync(join(tmpdir(), 'signalbox-seat-'));

  private constructor(life: Life) {
    this.#life = life;
  }

  /** The size is that of the agent's window; without one it stays as it is. */
  static async sit(life: Life, size?: Size): Promise<SeatedPerson> {
    const person = new SeatedPerson(life);
    const { argv } = await life.box.ask<AttachView>(['attach', 'lab']);
    const start = ['new-session', '-d', '-s', 'seat', ...measure(size ?? (await person.window()))];
    const around = ['--', 'env', '-u', 'TMUX', 'TERM=screen-256color'];
    await person.#tmux([...start, ...around, ...argv, ';', 'set-option', '-g', 'status', 'off']);
    const isThere = async (): Promise<boolean> => (await person.screen()) !== '';
    await waitUntil('the person at the terminal', isThere, 30_000);
    if (size) await person.resizes(size);
    return person;
  }

  async types(text: string): Promise<void> {
    await this.#tmux(['send-keys', '-l', text]);
  }

  async presses(...keys: readonly string[]): Promise<void> {
    await this.#tmux(['send-keys', ...keys]);
  }

  async screen(): Promise<string> {
    return (await this.#tmux(['capture-pane', '-p'])).trim();
  }

  /** Their terminal, and with it the agent's window. */
  async resizes(size: Size): Promise<void> {
    await this.#tmux(['resize-window', '-t', 'seat', ...measure(size)]);
    await isSized(this.#life, size);
  }

  async window(): Promise<Size> {
    const { columns, rows } = await this.#life.hands.look();
    return { columns, rows };
  }

  async leaves(): Promise<void> {
    await this.#tmux(['kill-server']).catch(() => undefined);
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #tmux(args: readonly string[]): Promise<string> {
    return runTmux(join(this.#folder, 'tmux'), args, {});
  }
}

export async function isSized(life: Life, { columns, rows }: Size): Promise<void> {
  await waitUntil(`a window of ${columns}×${rows}`, async () => {
    const look = await life.hands.look();
    return look.columns === columns && look.rows === rows;
  });
}

/** The status line of the agent's session takes one row of what a person has. */
function measure({ columns, rows }: Size): readonly string[] {
  return ['-x', String(columns), '-y', String(rows + 1)];
}
