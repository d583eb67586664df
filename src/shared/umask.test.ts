import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { formatUmask, parseUmask, readOwnUmask, readUmask, underUmask } from './umask.ts';

test('three or four octal digits are one, and nothing else is', () => {
  expect(['0022', '022', '077', '0000', '0777'].map(parseUmask)).toEqual([18, 18, 63, 0, 511]);
  for (const text of ['', '22', '1022', '00022', '08', '0o22', '-022', '022\n', 'u=rwx', '0x12']) {
    expect(parseUmask(text)).toBeUndefined();
  }
  for (const umask of [0, 0o2, 0o22, 0o777]) expect(parseUmask(formatUmask(umask))).toBe(umask);
});

test('a program starts under it, with its words as they are', () => {
  const [command = '', ...words] = underUmask(0o137, [
    '/bin/sh',
    '-c',
    'umask; echo "$1"',
    'sh',
    '$(id) "',
  ]);
  expect(execFileSync(command, words, { encoding: 'utf8' })).toBe('0137\n$(id) "\n');
});

test.skipIf(process.platform !== 'linux')('it is read without being changed', () => {
  const before = readUmask('self');
  expect(readOwnUmask()).toBe(before);
  expect(readUmask(process.pid)).toBe(before);
  expect(readUmask(0)).toBeUndefined();
});
