import { writeSync } from 'node:fs';
import type { Reporter, SerializedError, TestModule } from 'vitest/node';

/**
 * The last line of a run: `tests: 120 passed, 0 failed, 3 skipped`. What was skipped is named above
 * it.
 */
class CountReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    const count = { passed: 0, failed: 0, skipped: 0, pending: 0 };
    const left: string[] = [];
    for (const module of modules) {
      if (module.state() === 'failed' && module.children.size === 0) count.failed++;
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        count[state]++;
        if (state === 'skipped') left.push(test.fullName);
      }
    }
    const failed = count.failed + count.pending + unhandled.length;
    const named = left.map((name) => `left out: ${name}\n`).join('');
    const line = `tests: ${count.passed} passed, ${failed} failed, ${count.skipped} skipped\n`;
    process.once('exit', () => writeSync(1, named + line));
  }
}

// Vitest wants a default export of a custom reporter.
// biome-ignore lint/style/noDefaultExport: see above
export default CountReporter;
