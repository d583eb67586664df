import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ask } from '../../src/terminals/herdr/request.ts';
import { writeHerdrScript } from '../fakes/herdr/start.ts';
import { waitUntil } from './wait-until.ts';

export type HerdrVersion = '0.8.0' | '0.6.8';

/**
 * A real one, where HERDR_BIN names it: then only what it is, and not another version, can be
 * tested.
 */
export const realHerdr = process.env['HERDR_BIN'];

/**
 * What a process must have in its environment to find, and to start, a herdr of that folder's own:
 * the fake in that version, or the real one.
 */
export function installHerdr(
  folder: string,
  version: HerdrVersion,
  vars: Vars = {},
): Readonly<Record<string, string>> {
  const bin = join(folder, 'bin');
  const env = {
    PATH: `${bin}:${process.env['PATH'] ?? ''}`,
    XDG_CONFIG_HOME: join(folder, 'c'),
    XDG_STATE_HOME: join(folder, 's'),
  };
  mkdirSync(bin, { recursive: true });
  if (realHerdr) {
    symlinkSync(realHerdr, join(bin, 'herdr'));
    return env;
  }
  const inner = join(folder, 'fake');
  mkdirSync(inner, { recursive: true });
  const script = writeHerdrScript(inner);
  const all = { FAKE_HERDR_VERSION: version, FAKE_HERDR_WITHOUT: 'slow-first-line', ...vars };
  const words = Object.entries(all).map(([name, value]) => `${name}='${value}'`);
  const text = `#!/bin/sh\n${words.join(' ')} exec '${script}' "$@"\n`;
  writeFileSync(join(bin, 'herdr'), text, { mode: 0o755 });
  return env;
}

/** Ends the server behind that socket, and all that runs in it. */
export async function stopHerdr(socket: string): Promise<void> {
  const tell = (method: string) => ask(socket, { method, deadlineMs: 60_000 });
  await tell('server.stop').catch(() => undefined);
  await waitUntil('the end of herdr', () =>
    tell('ping').then(
      () => false,
      () => true,
    ),
  );
}

export type Vars = Readonly<Record<string, string>>;

/**
 * Of the session that is ours unless a person names another, below the folder that `installHerdr`
 * was given.
 */
export function herdrSocket(folder: string): string {
  return join(folder, 'c', 'herdr', 'sessions', 'signalbox', 'herdr.sock');
}
