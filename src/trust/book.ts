import { lstatSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Folders } from '../config/folders.ts';
import { Fault } from '../shared/fault.ts';
import { readOnce } from '../shared/read-once.ts';
import { findOriginal } from './find-original.ts';
import { parseRecord, type TrustRecord } from './record.ts';
import { hash, type WorkingFile } from './working-file.ts';

/** What the user has trusted: files of working folders, each exactly as it was then. */
export interface TrustBook {
  judge(file: Pick<WorkingFile, 'kind' | 'realPath' | 'sha256'>): Verdict;
  /** In place of what was trusted under that path before, which is kept as a hash alone. */
  trust(file: WorkingFile, how: Pick<TrustRecord, 'trustedAt' | 'by'>): void;
  list(): { readonly records: readonly TrustRecord[]; readonly damaged: readonly string[] };
  revoke(record: Pick<TrustRecord, 'kind' | 'path'>): void;
}

export type Verdict =
  /**
   * `path` is the one under which it was trusted: of a file in a worktree of ours, that of the
   * repository's own.
   */
  | { readonly outcome: 'trusted'; readonly path: string }
  | { readonly outcome: 'new' }
  /** Another content was trusted. */
  | { readonly outcome: 'changed'; readonly record: TrustRecord }
  /** Nobody can tell what was trusted: then nothing is. */
  | { readonly outcome: 'damaged'; readonly path: string; readonly why: string };

/** A file of 64 KiB, written as JSON with every character escaped, and what is said about it. */
const largestRecord = 512 * 1024;

/** More versions of one file than agents of it live. */
const mostEarlier = 50;

/**
 * One file for each trusted one, in the state folder, for its owner alone: written whole or not at
 * all, and two commands at once cannot undo each other's. It is read at each question, so that a
 * revoked file counts for no launch after that.
 */
export function openTrustBook(folders: Folders): TrustBook {
  const folder = join(folders.state, 'trust');
  const placeOf = ({ kind, path }: Pick<TrustRecord, 'kind' | 'path'>): string =>
    join(folder, `${hash(`${kind}\0${path}`)}.json`);
  const judgeAt = (
    path: string,
    { kind, sha256 }: Pick<WorkingFile, 'kind' | 'sha256'>,
  ): Verdict => {
    const place = placeOf({ kind, path });
    const read = readRecord(place);
    if (read === undefined) return { outcome: 'new' };
    if (typeof read === 'string') return { outcome: 'damaged', path: place, why: read };
    if (read.kind !== kind || read.path !== path) {
      return { outcome: 'damaged', path: place, why: 'it speaks of another file' };
    }
    if (read.sha256 !== sha256) return { outcome: 'changed', record: read };
    return { outcome: 'trusted', path };
  };
  return {
    judge: (file) => {
      const own = judgeAt(file.realPath, file);
      if (own.outcome === 'trusted') return own;
      const original = findOriginal(folders, file.realPath);
      const there = original === undefined ? own : judgeAt(original, file);
      return there.outcome === 'trusted' ? there : own;
    },
    trust: ({ kind, realPath: path, sha256, bytes }, how) => {
      const before = readRecord(placeOf({ kind, path }));
      const known = typeof before === 'object' ? [before.sha256, ...(before.earlier ?? [])] : [];
      const earlier = known.filter((one) => one !== sha256).slice(0, mostEarlier);
      const record: TrustRecord = { path, kind, sha256, ...how, text: bytes.toString(), earlier };
      write(folder, placeOf(record), `${JSON.stringify(record, undefined, 2)}\n`);
    },
    list: () => {
      const places = listPlaces(folder).map((name) => join(folder, name));
      const read = places.map((place) => ({ place, record: readRecord(place) }));
      return {
        records: read.flatMap(({ record }) => (typeof record === 'object' ? [record] : [])),
        damaged: read.flatMap(({ place, record }) => (typeof record === 'string' ? [place] : [])),
      };
    },
    revoke: (record) => rmSync(placeOf(record), { force: true }),
  };
}

/** Undefined where there is none; a text says why it cannot be believed. */
function readRecord(place: string): TrustRecord | string | undefined {
  try {
    const found = lstatSync(place, { throwIfNoEntry: false });
    if (!found) return undefined;
    if (!found.isFile()) return 'it is no file of ours';
    // Somebody else's word for what the user trusts.
    if (found.uid !== process.getuid?.() || (found.mode & 0o022) !== 0) {
      return 'others may have written it';
    }
    return parseRecord(readOnce(place, largestRecord).bytes.toString());
  } catch (error) {
    // Whatever the system says: it cannot be read.
    return error instanceof Error ? error.message : String(error);
  }
}

function listPlaces(folder: string): readonly string[] {
  try {
    return readdirSync(folder).filter((name) => name.endsWith('.json'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw unusable(folder, error);
  }
}

function write(folder: string, place: string, text: string): void {
  const draft = `${place}.new-${process.pid}`;
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeFileSync(draft, text, { mode: 0o600, flush: true });
    renameSync(draft, place);
  } catch (error) {
    rmSync(draft, { force: true });
    throw unusable(place, error);
  }
}

function unusable(path: string, error: unknown): Fault {
  const why = error instanceof Error ? error.message : String(error);
  return new Fault(
    'config-invalid',
    `signalbox cannot use ${path}, its record of trusted files: ${why}.`,
    'Make the state folder writable, or move that file away; no file is trusted then.',
    { cause: error },
  );
}
