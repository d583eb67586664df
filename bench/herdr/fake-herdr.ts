import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ask } from '../../test/fakes/herdr/cli/client.ts';
import { placeOf } from '../../test/fakes/herdr/socket-paths.ts';
import { writeHerdrScript } from '../../test/fakes/herdr/start.ts';
import { waitUntil } from '../../test/support/wait-until.ts';

export interface HerdrCounts {
  readonly connections: { readonly opened: number; readonly open: number };
  readonly requests: Readonly<Record<string, number>>;
}

/**
 * A program named `herdr` for one station: the fake of herdr 0.8.0 with all its habits, slow first
 * lines included. The daemon starts it, as it starts a real one; it ends with `stop`.
 */
export class FakeHerdr {
  /** For the daemon that is to find it. */
  readonly env: Readonly<Record<string, string>>;
  readonly socket: string;
  readonly #bin: string;

  constructor(folder: string) {
    this.#bin = join(folder, 'bin');
    mkdirSync(this.#bin, { recursive: true });
    writeHerdrScript(this.#bin);
    this.env = {
      PATH: this.#bin,
      HOME: folder,
      SHELL: '/bin/sh',
      XDG_CONFIG_HOME: join(folder, 'c'),
      XDG_STATE_HOME: join(folder, 's'),
    };
    this.socket = placeOf('signalbox', this.env).socket;
  }

  async reset(): Promise<void> {
    await this.#chaos({ do: 'reset' });
  }

  async count(): Promise<HerdrCounts> {
    return (await this.#chaos({ do: 'count' })) as unknown as HerdrCounts;
  }

  /**
   * From now on it ends before it has begun, as one does whose settings or libraries are broken.
   */
  breakProgram(): void {
    const path = join(this.#bin, 'herdr');
    writeFileSync(`${path}.new`, '#!/bin/sh\nexit 1\n', { mode: 0o755 });
    renameSync(`${path}.new`, path);
  }

  /** And everything in it. */
  async stop(): Promise<void> {
    await ask(this.socket, { id: 'bench', method: 'server.stop', params: {} });
    await waitUntil('the end of herdr', async () => {
      return !(await ask(this.socket, { id: 'bench', method: 'ping', params: {} }));
    });
  }

  async #chaos(command: Readonly<Record<string, unknown>>): Promise<unknown> {
    const answer = await ask(`${this.socket}.chaos`, command);
    if (!answer || answer['error']) throw new Error(`chaos: ${JSON.stringify(answer)}`);
    return answer;
  }
}
