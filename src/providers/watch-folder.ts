import { type FSWatcher, watch } from 'node:fs';

export interface FolderWatchParts {
  /** May be called for nothing, and often. */
  readonly onChange: () => void;
  /** Which names in the folder matter; all, when it is not said. */
  readonly isOurs?: (name: string) => boolean;
  readonly pollMs?: number;
  /** For tests of what happens at inotify's limit. */
  readonly watchFolder?: WatchFolder;
}

type WatchFolder = (path: string, onChange: (name: string | null) => void) => FSWatcher;

/**
 * Where no watch can be had: inotify's limits, a network's file system, a folder that is not there
 * yet.
 */
const usualPollMs = 2000;

/**
 * Tells when a folder's files may have changed, by a watch, and every 2 s besides, for what no
 * watch tells. It costs a timer while it follows something: follow nothing while nothing is
 * awaited. It dies with `close`.
 */
export class FolderWatch {
  readonly #parts: FolderWatchParts;
  #folder: string | undefined;
  #watcher: FSWatcher | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(parts: FolderWatchParts) {
    this.#parts = parts;
  }

  /** From now on this folder, and no other; undefined: none. */
  follow(folder: string | undefined): void {
    if (this.#isClosed || folder === this.#folder) return;
    this.#stop();
    this.#folder = folder;
    if (folder === undefined) return;
    this.#openWatcher();
    this.#timer = setInterval(() => this.#poll(), this.#parts.pollMs ?? usualPollMs);
    this.#timer.unref();
  }

  close(): void {
    this.#isClosed = true;
    this.#stop();
  }

  #stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#watcher?.close();
    this.#watcher = undefined;
    this.#folder = undefined;
  }

  #poll(): void {
    if (!this.#watcher) this.#openWatcher();
    this.#parts.onChange();
  }

  #openWatcher(): void {
    if (this.#folder === undefined) return;
    const { watchFolder = watchWithNode } = this.#parts;
    try {
      const watcher = watchFolder(this.#folder, (name) => this.#notice(name));
      watcher.on('error', () => this.#drop(watcher));
      this.#watcher = watcher;
    } catch {
      // ENOENT, or EMFILE and ENOSPC at inotify's limits: the poll tries again.
    }
  }

  #drop(watcher: FSWatcher): void {
    watcher.close();
    if (this.#watcher === watcher) this.#watcher = undefined;
  }

  #notice(name: string | null): void {
    if (this.#isClosed) return;
    const { isOurs, onChange } = this.#parts;
    // Some systems tell no names.
    if (name === null || isOurs === undefined || isOurs(name)) onChange();
  }
}

function watchWithNode(path: string, onChange: (name: string | null) => void): FSWatcher {
  return watch(path, { persistent: false }, (_, name) => onChange(name));
}
