import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AttachView } from '../../../src/protocol/terminals.ts';
import { waitUntil } from '../../support/wait-until.ts';
import type { Life } from '../life/life.ts';
import { runTmux } from '../run-tmux.ts';

/**
 * A person who has attached to the agent with a terminal of their own: a tmux around it is that
 * terminal. Keys that are sent into the agent's pane by name, as `Hands` sends them, are no keys of
 * a person to the product's tmux; these are.
 */
export class SeatedPerson {
  readonly #folder = mkdtempSync(join(tmpdir(), 'signalbox-seat-'));

  static async sit(life: Life): Promise<SeatedPerson> {
    const person = new SeatedPerson();
    const { argv } = await life.box.ask<AttachView>(['attach', 'lab']);
    const { columns, rows } = await life.hands.look();
    // Its own status line takes a row.
    const size = ['-x', String(columns), '-y', String(rows + 1)];
    const start = ['new-session', '-d', ...size, '--', 'env', '-u', 'TMUX', 'TERM=screen-256color'];
    await person.#tmux([...start, ...argv]);
    await waitUntil(
      'the person at the terminal',
      async () => (await person.screen()) !== '',
      30_000,
    );
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

  async leaves(): Promise<void> {
    await this.#tmux(['kill-server']).catch(() => undefined);
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #tmux(args: readonly string[]): Promise<string> {
    return runTmux(join(this.#folder, 'tmux'), args, {});
  }
}
