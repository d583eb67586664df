import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

test('where no file descriptor is free, a program that is not started is said to be that, and nothing else breaks', () => {
  const program = fileURLToPath(new URL('./fixtures/without-descriptors.ts', import.meta.url));
  const line = `ulimit -n 80; exec "${process.execPath}" --import tsx '${program}'`;
  const why = '/bin/true could not be started: no file descriptor is free';
  expect(execFileSync('sh', ['-c', line], { encoding: 'utf8' }).trim().split('\n')).toEqual([
    `runBriefly: {"outcome":"failed","why":"${why}"}`,
    `askVersion: ${why}`,
    `ControlClient: ${why}`,
  ]);
});
