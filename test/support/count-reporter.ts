import { writeSync } from 'node:fs';
import type { Reporter, SerializedError, TestCase, TestModule } from 'vitest/node';
import { fullVariable } from './sweep.ts';

/**
 * The last line of a run: `tests: 120 passed, 0 failed, 3 skipped`. Named above it: what was
 * skipped, and what was never finished, since Vitest doesn't say whose worker died. Tests that
 * `npm test` leaves to `npm run test:full` don't count as skipped.
 */
class CountReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    const count = { passed: 0, failed: 0, skipped: 0, pending: 0 };
    const left: string[] = [];
    let toFull = 0;
    for (const module of modules) {
      if (module.state() === 'failed' && module.children.size === 0) count.failed++;
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        if (state === 'skipped' && isLeftToFull(test)) {
          toFull++;
          continue;
        }
        count[state]++;
        if (state === 'skipped') left.push(`left out: ${test.fullName}\n`);
        if (state === 'pending') {
          left.push(`not finished: ${module.relativeModuleId} > ${test.fullName}\n`);
        }
      }
    }
    const failed = count.failed + count.pending + unhandled.length;
    if (toFull > 0) left.push(`left to npm run test:full: ${toFull}\n`);
    const named = left.join('');
    const line = `tests: ${count.passed} passed, ${failed} failed, ${count.skipped} skipped\n`;
    process.once('exit', () => writeSync(1, named + line));
  }
}

function isLeftToFull(test: TestCase): boolean {
  return test.tags.includes('full') && process.env[fullVariable] === undefined;
}

// Vitest wants a default export of a custom reporter.
// biome-ignore lint/style/noDefaultExport: see above
export default CountReporter;
