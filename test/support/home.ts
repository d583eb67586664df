import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { keepBugs } from '../../src/shared/report-bug.ts';

/** A state folder of the test's own, gone when the test is over. */
export function tempHome(prefix = 'signalbox-'): string {
  const home = mkdtempSync(join(tmpdir(), prefix));
  onTestFinished(() => {
    // Code under test may note its mistakes in this folder: a later test would create it again.
    keepBugs(() => undefined)();
    rmSync(home, { recursive: true, force: true });
  });
  return home;
}
