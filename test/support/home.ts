import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A state folder of the test's own, gone when the test is over. */
export function tempHome(prefix = 'signalbox-'): string {
  const home = mkdtempSync(join(tmpdir(), prefix));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  return home;
}
