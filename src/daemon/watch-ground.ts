import { statSync } from 'node:fs';
import type { Clock } from '../shared/clock.ts';

/** How often it is looked whether the files are still there. */
const everyMs = 2000;

/**
 * Looks after the ground we stand on: a state folder, ledger or lock that was deleted or replaced. Whoever goes on then works
 * in the void, on files that nobody else can see, while a second daemon may already run on the new ones.
 */
export function watchGround(
  paths: readonly string[],
  clock: Clock,
  lost: (path: string) => void,
  check: () => void,
): () => void {
  const known = new Map(paths.map((path) => [path, identify(path)]));
  const end = new AbortController();
  const run = async (): Promise<void> => {
    for (;;) {
      await clock.sleep(everyMs, end.signal);
      for (const [path, identity] of known) {
        if (identify(path) === identity) continue;
        lost(path);
        return;
      }
      check();
    }
  };
  run().catch(() => undefined); // Only ever the end of the last sleep.
  return () => end.abort();
}

function identify(path: string): string {
  const entry = statSync(path, { throwIfNoEntry: false });
  return entry ? `${entry.dev}:${entry.ino}` : 'gone';
}
