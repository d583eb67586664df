import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Fault } from '../../shared/fault.ts';
import { parseObject } from '../../shared/json.ts';
import { readStartTime } from '../../shared/processes.ts';
import { shellWord } from '../../shared/shell-word.ts';
import type { TmuxPlace } from './place.ts';
import { writeWhole } from './write-whole.ts';

export interface NotedServer {
  readonly pid: number;
  /** As it said itself when it was noted; undefined in notes of earlier versions of signalbox. */
  readonly version?: string;
}

/**
 * The server that we last started or found, if it lives: known also where its socket is gone, or
 * its program was replaced.
 */
export function findNotedServer(place: TmuxPlace): NotedServer | undefined {
  const { pid, startedAt, version } = parseObject(readNote(place)) ?? {};
  // Never written, or not by us: then nothing is known of a server.
  if (typeof pid !== 'number' || !Number.isInteger(pid)) return undefined;
  if (readStartTime(pid) !== startedAt) return undefined;
  return typeof version === 'string' ? { pid, version } : { pid };
}

/**
 * Throws any error but that it is missing: a server whose note cannot be read may live (rule 41).
 */
function readNote(place: TmuxPlace): string {
  try {
    return readFileSync(notePath(place), 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return '';
    const path = notePath(place);
    throw new Fault(
      'disk-trouble',
      `signalbox cannot tell whether its tmux server lives: ${path} cannot be read (${code}).`,
      `Try again once \`ls -l ${shellWord(path)}\` shows it.`,
      { cause: error },
    );
  }
}

export function noteServer(place: TmuxPlace, { pid, version }: NotedServer): void {
  writeWhole(notePath(place), JSON.stringify({ pid, startedAt: readStartTime(pid), version }));
}

function notePath(place: TmuxPlace): string {
  return join(place.stateFolder, 'tmux-server.json');
}
