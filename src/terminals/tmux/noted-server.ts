import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readStartTime } from '../../shared/processes.ts';
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
  try {
    const { pid, startedAt, version } = JSON.parse(readFileSync(notePath(place), 'utf8'));
    if (!Number.isInteger(pid) || readStartTime(pid) !== startedAt) return undefined;
    return typeof version === 'string' ? { pid, version } : { pid };
  } catch {
    return undefined; // Never written, or not by us: then nothing is known of a server.
  }
}

export function noteServer(place: TmuxPlace, { pid, version }: NotedServer): void {
  writeWhole(notePath(place), JSON.stringify({ pid, startedAt: readStartTime(pid), version }));
}

function notePath(place: TmuxPlace): string {
  return join(place.stateFolder, 'tmux-server.json');
}
