import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { HookReply } from '../../../src/providers/way-in.ts';
import type { Life } from '../../../test/lab/life/life.ts';
import { waitUntil } from '../../../test/support/wait-until.ts';

/**
 * Stands before the hook client of one box. As a rule it only goes on to it, which costs our side a
 * shell's start; once a reply is armed for an event, the next call of that event prints it at once
 * and asks nobody.
 */
export class HookDoor {
  readonly #folder: string;

  constructor({ box }: Life) {
    this.#folder = join(box.state, 'hooks');
  }

  open(): void {
    const client = join(this.#folder, 'post');
    renameSync(client, `${client}.real`);
    const lines = [
      '#!/bin/sh',
      `[ -e "${this.#folder}/armed-$1" ] && . "${this.#folder}/armed-$1"`,
      `exec "${client}.real" "$@"`,
    ];
    writeFileSync(client, `${lines.join('\n')}\n`, { mode: 0o700 });
  }

  /** Resolves when it was said. */
  async say(event: string, { stdout, stderr, exitCode }: HookReply): Promise<void> {
    const path = this.#path(event);
    const text = `'${(stdout ?? stderr ?? '').replaceAll("'", `'\\''`)}'`;
    const lines = [
      // Its payload is read, as by any hook.
      'cat >/dev/null',
      `rm -f "${path}"`,
      `printf %s ${text}${stdout === undefined ? ' >&2' : ''}`,
      `exit ${exitCode}`,
    ];
    writeFileSync(`${path}.new`, `${lines.join('\n')}\n`);
    renameSync(`${path}.new`, path);
    await waitUntil(`${event}, to be answered`, () => !existsSync(path), 60_000);
  }

  close(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #path(event: string): string {
    return join(this.#folder, `armed-${event}`);
  }
}
