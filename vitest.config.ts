import { defineConfig } from 'vitest/config';

/** Unit tests lie beside their code; the rest is grouped by what it needs. `npm test` runs them all: Node and git suffice. */
export default defineConfig({
  test: {
    globalSetup: ['test/support/global-setup.ts'],
    testTimeout: 120_000,
    hookTimeout: 60_000,
    // Real processes share two cores on the machines this runs on, and more than half of the time they wait for each other.
    maxWorkers: 3,
    reporters: ['default', './test/support/count-reporter.ts'],
    projects: [
      project('unit', ['src/**/*.test.ts', 'test/*.test.ts']),
      project('contracts', ['test/contracts/**/*.test.ts']),
      project('integration', ['test/integration/**/*.test.ts']),
      project('simulation', ['test/simulation/**/*.test.ts']),
      project('lab', ['test/lab/**/*.test.ts', 'test/soak/**/*.test.ts']),
    ],
  },
});

function project(name: string, include: string[]) {
  return { extends: true, test: { name, include } } as const;
}
