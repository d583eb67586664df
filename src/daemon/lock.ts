import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { daemonInfoPath, daemonLockPath, type Folders } from '../config/folders.ts';
import type { DaemonInfo } from '../protocol/daemon.ts';
import type { Clock } from '../shared/clock.ts';
import { type FileLock, takeFileLock } from '../store/sqlite/file-lock.ts';

/** How long a second start waits for the first to say who it is. */
const introductionMs = 2000;

/**
 * One daemon per state folder. The lock itself is the kernel's and ends with its process;
 * `daemon.json` beside it only says who holds it, and is believed by nobody who could take the
 * lock.
 */
export class DaemonLock {
  readonly path: string;
  readonly #folders: Folders;
  readonly #lock: FileLock;

  constructor(folders: Folders, path: string, lock: FileLock) {
    this.#folders = folders;
    this.path = path;
    this.#lock = lock;
  }

  /** Written beside and renamed: a reader finds the old one or the new one, never half of it. */
  introduce(info: DaemonInfo): void {
    const path = daemonInfoPath(this.#folders);
    const draft = `${path}.new-${info.pid}`;
    writeFileSync(draft, `${JSON.stringify(info)}\n`, { mode: 0o600 });
    renameSync(draft, path);
  }

  /** Whoever comes next must not find us introduced any more, hence in this order. */
  release(pid: number): void {
    // The folder may have been replaced, and then this is somebody else's.
    if (readInfo(this.#folders)?.pid === pid)
      rmSync(daemonInfoPath(this.#folders), { force: true });
    this.#lock.release();
  }
}

/** The lock, or who has it; `undefined` for one that does not say who it is. */
export async function takeLock(
  folders: Folders,
  clock: Clock,
): Promise<DaemonLock | { readonly holder: DaemonInfo | undefined }> {
  mkdirSync(folders.state, { recursive: true, mode: 0o700 });
  const path = daemonLockPath(folders);
  const endsAtMs = clock.monotonicMs() + introductionMs;
  for (;;) {
    const lock = takeFileLock(path, clock);
    if (lock) {
      // Left behind by one that was killed.
      rmSync(daemonInfoPath(folders), { force: true });
      return new DaemonLock(folders, path, lock);
    }
    const holder = readInfo(folders);
    if (holder || clock.monotonicMs() >= endsAtMs) return { holder };
    await clock.sleep(20);
  }
}

function readInfo(folders: Folders): DaemonInfo | undefined {
  try {
    return JSON.parse(readFileSync(daemonInfoPath(folders), 'utf8')) as DaemonInfo;
  } catch {
    // Not written yet, or half of it: whoever asks looks again.
    return undefined;
  }
}
