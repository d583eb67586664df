import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { configDefaults, defineConfig } from 'vitest/config';
import { SlowFirst } from './test/support/slow-first.ts';

/** Runs only in `npm run test:full`. */
const fullOnly = '**/*.full.test.ts';

/** Each of them runs in a process of its own. */
const alone = '**/*.alone.test.ts';

/**
 * Unit tests lie beside their code; the rest is grouped by what it needs: Node, git and tmux
 * suffice. AGENTS.md says which command runs which project, and where a new test goes.
 */
export default defineConfig({
  // The global set-up has built it (src/terminals/tmux/reader-link.ts).
  define: { builtReader: JSON.stringify(resolve('dist/tmux-reader.cjs')) },
  test: {
    globalSetup: ['test/support/global-setup.ts'],
    // These limits only end a test that hangs. A machine that is busy with something else may take
    // ten times as long as an idle one, and no test may fail for that.
    testTimeout: 600_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 120_000, interval: 10 } },
    sequence: { sequencer: SlowFirst },
    tags: [{ name: 'full', description: 'runs only in npm run test:full' }],
    reporters: ['default', './test/support/count-reporter.ts'],
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['src/**/*.test.ts', 'bench/**/*.test.ts', 'test/*.test.ts'],
          exclude: [...configDefaults.exclude, fullOnly],
          // Files share a process: to load our modules again for each file took two thirds of the
          // CPU time. So a unit test mocks no module and leaves nothing behind in the process.
          isolate: false,
          unstubEnvs: true,
          maxWorkers: 2 * availableParallelism(),
          sequence: { groupOrder: 0 },
        },
      },
      withProcesses('contracts', ['test/contracts/**/*.test.ts'], [fullOnly, alone]),
      withProcesses('alone', [`test/${alone}`], []),
      withProcesses('integration', ['test/integration/**/*.test.ts'], [fullOnly, alone]),
      withProcesses('simulation', ['test/simulation/**/*.test.ts'], [fullOnly]),
      withProcesses('lab', ['test/lab/**/*.test.ts', 'test/soak/**/*.test.ts'], [fullOnly]),
      withProcesses('browser', ['test/browser/**/*.test.ts'], [fullOnly]),
      withProcesses('full', [`{src,test}/${fullOnly}`], []),
    ],
  },
});

/**
 * Real processes wait for each other much of the time: with four workers two cores were idle for a
 * fifth of the time, and with five the whole suite took 19 minutes.
 */
function withProcesses(name: string, include: string[], exclude: string[]) {
  return {
    extends: true as const,
    test: {
      name,
      include,
      exclude: [...configDefaults.exclude, ...exclude],
      // As for the unit tests: only a test that mocks a module, or measures its process, needs
      // one of its own.
      isolate: name === 'alone',
      unstubEnvs: true,
      maxWorkers: Math.min(8, Math.ceil(3.5 * availableParallelism())),
      sequence: { groupOrder: 1 },
    },
  };
}
