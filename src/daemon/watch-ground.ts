import { statSync } from 'node:fs';
import type { Clock } from '../shared/clock.ts';
import { pause, untilBeat } from '../shared/clock.ts';
import { reportBug } from '../shared/report-bug.ts';

/** How often it is looked whether the files are still there. */
const everyMs = 2000;

/**
 * Looks after the ground we stand on: a state folder, ledger or lock that was deleted or replaced.
 * Whoever goes on then works in the void, on files that nobody else can see, while a second daemon
 * may already run on the new ones.
 */
export function watchGround(
  paths: readonly string[],
  clock: Clock,
  lost: (path: string) => void,
  check: () => Promise<void>,
): () => void {
  const known = new Map(paths.map((path) => [path, identify(path)]));
  const end = new AbortController();
  const run = async (): Promise<void> => {
    while (await pause(clock, untilBeat(clock, everyMs), end.signal)) {
      try {
        const gone = [...known].find(([path, identity]) => identify(path) !== identity);
        if (gone) return lost(gone[0]);
        await check();
      } catch (error) {
        // A look that failed says nothing: the next one is taken all the same.
        reportBug('watching the files that a daemon stands on', error);
      }
    }
  };
  void run();
  return () => end.abort();
}

function identify(path: string): string {
  const entry = statSync(path, { throwIfNoEntry: false });
  return entry ? `${entry.dev}:${entry.ino}` : 'gone';
}
