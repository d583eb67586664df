import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** The tmux of this machine. */
export function realTmux(): string {
  return realpathSync(execFileSync('sh', ['-c', 'command -v tmux'], { encoding: 'utf8' }).trim());
}

/**
 * A program named `tmux` that is found before the real one and does what another version was seen
 * to do. `script` is for sh, with the real one in `$real`; what it does not answer goes there.
 */
export function standInTmux(script: string): { readonly folder: string; readonly path: string } {
  const folder = mkdtempSync(join(tmpdir(), 'sbx-tmux-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const lines = ['#!/bin/sh', `real=${realTmux()}`, script, 'exec "$real" "$@"', ''];
  writeFileSync(join(folder, 'tmux'), lines.join('\n'));
  chmodSync(join(folder, 'tmux'), 0o755);
  return { folder, path: `${folder}:${process.env['PATH'] ?? ''}` };
}

/**
 * As 3.6a was seen to be towards a server of 3.5a or older: plain commands answer, a control client
 * never does, nor does it end.
 */
export const newerClient = `case "$*" in
  -V) echo 'tmux 3.6a'; exit;;
  *' -C '*) exec sleep 600;;
esac`;

/** As 3.5a was seen to be towards a server of 3.6a or newer. */
export const olderClient = `case "$*" in
  -V) echo 'tmux 3.5'; exit;;
  *) echo 'server exited unexpectedly' >&2; exit 1;;
esac`;
