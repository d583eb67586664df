import { appendFileSync, mkdirSync, readFileSync, statSync, truncateSync } from 'node:fs';
import { dirname } from 'node:path';
import { parseObject } from './json.ts';
import { redact } from './redact.ts';
import type { CaughtBug } from './report-bug.ts';

/** What `doctor` tells of; the daemon's log keeps them longer. */
const shownForMs = 24 * 3_600_000;
/** About a thousand notes; then it begins anew. */
const maxBytes = 256 * 1024;
const maxWords = 300;

interface BugNote {
  /** Wall time. */
  readonly at: number;
  readonly pid: number;
  readonly place: string;
  readonly times: number;
  readonly error: string;
}

/**
 * Adds one line to the notes of all processes of one state folder. Never throws: it is told about
 * what went wrong already.
 */
export function noteBug(path: string, { place, error, times }: CaughtBug, at: number): void {
  const note: BugNote = { at, pid: process.pid, place, times, error: describe(error) };
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    const bytes = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
    if (bytes > maxBytes) truncateSync(path);
    appendFileSync(path, `${redact(JSON.stringify(note))}\n`, { mode: 0o600 });
  } catch {
    // No room, or the folder is gone: other parts say that, and louder.
  }
}

export interface NotedBugs {
  /** At least: the later ones of a place are noted ever more seldom. */
  readonly times: number;
  readonly first: { readonly place: string; readonly error: string };
}

/** Of the last 24 hours; undefined when there is none. Throws where they cannot be read. */
export function readBugNotes(path: string, now: number): NotedBugs | undefined {
  const notes = readNotes(path).filter(({ at }) => Math.abs(now - at) < shownForMs);
  const [first] = notes;
  if (!first) return undefined;
  // The last note of a place in a process holds its count.
  const last = new Map(notes.map(({ pid, place, times }) => [`${pid} ${place}`, times]));
  return { times: [...last.values()].reduce((sum, times) => sum + times, 0), first };
}

function readNotes(path: string): readonly BugNote[] {
  try {
    return readFileSync(path, 'utf8').split('\n').flatMap(parseNote);
  } catch (error) {
    // Only what does not exist, or cannot exist below a file, is empty; doctor says any other
    // failure.
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return [];
    throw error;
  }
}

function parseNote(line: string): readonly BugNote[] {
  const { at, pid, place, times, error } = parseObject(line) ?? {};
  if (typeof at !== 'number' || typeof pid !== 'number' || typeof times !== 'number') return [];
  if (typeof place !== 'string' || typeof error !== 'string') return [];
  return [{ at, pid, place, times, error }];
}

function describe(error: unknown): string {
  const words = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return words.slice(0, maxWords);
}
