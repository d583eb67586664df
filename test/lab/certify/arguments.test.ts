import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempHome } from '../../support/home.ts';
import { noteTrial, sweepTrials } from '../older/leftovers.ts';
import { readArguments } from './arguments.ts';
import { explainInstall } from './explain-install.ts';

test('one CLI and one version are asked for, with what is to be printed', () => {
  expect(readArguments(['qwen@0.24.5'])).toEqual({
    ...{ cli: 'qwen', version: '0.24.5', json: false, markdown: undefined },
    ...{ screens: 'short', only: ['screens', 'cases'] },
  });
  expect(readArguments(['qwen@0.24.5', '--json', '--only', 'screens'])).toMatchObject({
    json: true,
    only: ['screens'],
  });
  expect(readArguments(['--help'])).toBe('help');
});

test.each([
  [[], /Name one/],
  [['qwen@1.0.0', 'codex@1.0.0'], /Name one/],
  [['cursor@1.0.0'], /no CLI "cursor": claude-code, codex/],
  [['qwen'], /no version/],
  [['qwen@latest'], /no version/],
  [['qwen@^1.0.0'], /no version/],
  [['qwen@1.0.0', '--jsn'], /--jsn/],
  [['qwen@1.0.0', '--only', 'hooks'], /--only is/],
  [['qwen@1.0.0', '--screens', 'some'], /--screens is/],
])('%j is refused with the reason', (words, said) => {
  expect(readArguments(words)).toEqual({ wrong: expect.stringMatching(said) });
});

test('an install that fails is told in one sentence', () => {
  const label = '@qwen-code/qwen-code@9.9.9';
  expect(explainInstall(label, 'npm error code ETARGET\nnpm error notarget No matching')).toBe(
    `npm has no ${label}. Look at the versions that its registry offers.`,
  );
  expect(explainInstall(label, 'npm error code E404')).toMatch(/does not know it/);
  expect(explainInstall(label, 'npm error code ENOTFOUND\nnpm error network')).toMatch(
    /could not reach its registry/,
  );
  expect(explainInstall(label, 'npm install x did not end within 600 s:\n')).toMatch(
    /did not finish .* in ten minutes/,
  );
  expect(explainInstall(label, 'a\nsomething else\n')).toMatch(/something else$/);
});

test('a version that a killed run left is removed by the next one; that of a living run is not', () => {
  const cache = tempHome();
  const lay = (label: string): string => {
    mkdirSync(join(cache, label));
    return join(cache, label);
  };
  const remove = noteTrial(cache, 'qwen-1.0.0');
  const mine = lay('qwen-1.0.0');
  const dead = lay('qwen-1.0.1');
  writeFileSync(join(cache, '.trial-qwen-1.0.1'), '{"pid":999999999,"startedAt":"1"}');
  const cut = lay('qwen-1.0.2');
  writeFileSync(join(cache, '.trial-qwen-1.0.2'), '{"pid":');
  const others = lay('codex-1.0.0');
  expect(sweepTrials(cache)).toEqual(['qwen-1.0.1', 'qwen-1.0.2']);
  expect([mine, dead, cut, others].map((path) => existsSync(path))).toEqual([
    ...[true, false, false, true],
  ]);
  expect(() => noteTrial(cache, 'qwen-1.0.0')).toThrow(/being tried by another process/);
  remove();
  expect(existsSync(mine)).toBe(false);
  expect(sweepTrials(cache)).toEqual([]);
});
