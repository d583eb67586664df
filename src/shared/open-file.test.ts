import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { tempHome } from '../../test/support/home.ts';
import { openFile, readFileText, readFileTextSync, useFileSync } from './open-file.ts';

test('a file is read, also by a link', async () => {
  const path = join(tempHome(), 'file');
  writeFileSync(path, 'word');
  symlinkSync(path, `${path}-link`);
  for (const one of [path, `${path}-link`]) {
    expect([await readFileText(one), readFileTextSync(one)]).toEqual(['word', 'word']);
    await (await openFile(one)).close();
  }
});

test.each([
  ['a pipe', 'EFTYPE'],
  ['a device', 'EFTYPE'],
  ['a folder', 'EISDIR'],
  ['nothing', 'ENOENT'],
])('rule 41: %s in its place is an error at once', async (what, code) => {
  const path = join(tempHome(), 'odd');
  if (what === 'a pipe') execFileSync('mkfifo', [path]);
  if (what === 'a device') symlinkSync('/dev/zero', path);
  if (what === 'a folder') mkdirSync(path);
  // What hangs all the same comes to an end with this.
  const rescue = spawn('sh', ['-c', `sleep 5; exec : > '${path}'`], { stdio: 'ignore' });
  onTestFinished(() => void rescue.kill('SIGKILL'));
  await expect(openFile(path)).rejects.toMatchObject({ code });
  await expect(readFileText(path)).rejects.toMatchObject({ code });
  expect(() => readFileTextSync(path)).toThrow(expect.objectContaining({ code }));
  expect(() => useFileSync(path, () => 0)).toThrow(expect.objectContaining({ code }));
  expect(rescue.exitCode).toBeNull();
});
