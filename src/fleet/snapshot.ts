import { mkdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { reportBug } from '../shared/report-bug.ts';
import type { Backend } from '../terminals/backend.ts';
import type { Terminal } from '../terminals/terminal.ts';
import type { FleetParts } from './parts.ts';

/** Of screen and scrollback, from the end. */
const maxBytes = 1024 * 1024;

/**
 * Keeps the last screen and scrollback of a terminal as plain text (B17). Throws when the backend
 * cannot be asked just now: the terminal is still there, and the caller may come again. A full disk
 * is told, and stops nothing.
 */
export async function keepSnapshot(
  parts: FleetParts,
  backend: Pick<Backend, 'readText'>,
  terminal: Terminal,
): Promise<void> {
  const found = await readDrawn(parts, backend, terminal);
  if (found === 'gone') return;
  try {
    const path = snapshotPath(parts, terminal.agent);
    await mkdir(parts.folders.snapshots, { recursive: true, mode: 0o700 });
    const head = found.isPartial ? '[signalbox: the beginning is lost]\n' : '';
    await writeFile(`${path}.new`, head + found.text, { mode: 0o600 });
    await rename(`${path}.new`, path);
  } catch (error) {
    reportBug('keeping a snapshot', error);
    parts.log.warn({ agent: terminal.agent, error: String(error) }, 'no snapshot could be kept');
  }
}

const blankTries = 3;
const blankMs = 30;

/**
 * tmux (3.3a) may tell the end of a program a moment before its last bytes are drawn. Of 25
 * programs that printed a line and left at once it drew nothing of two, however long one waited.
 */
async function readDrawn(
  { surroundings }: FleetParts,
  backend: Pick<Backend, 'readText'>,
  terminal: Terminal,
): ReturnType<Backend['readText']> {
  for (let tries = 0; ; tries++) {
    const found = await backend.readText(terminal, maxBytes);
    if (found === 'gone' || found.text !== '' || tries === blankTries) return found;
    await surroundings.clock.sleep(blankMs);
  }
}

/** `since`: one of an earlier life is none. */
export async function readSnapshot(
  parts: SnapshotParts,
  agent: string,
  since = Number.NEGATIVE_INFINITY,
): Promise<string | undefined> {
  const path = snapshotPath(parts, agent);
  try {
    return (await stat(path)).mtimeMs < since ? undefined : await readFile(path, 'utf8');
  } catch {
    // None was kept, or it cannot be read: then its words are not known.
    return undefined;
  }
}

interface SnapshotParts {
  readonly folders: Pick<FleetParts['folders'], 'snapshots'>;
}

function snapshotPath(parts: SnapshotParts, agent: string): string {
  return join(parts.folders.snapshots, `${agent}.txt`);
}
