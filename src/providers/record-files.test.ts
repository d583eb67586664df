import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findStats, listFolders, listNames, readHead, readText, sizeOf } from './record-files.ts';

let root = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'signalbox-record-files-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** Each way to look, at a path that is a file's or a folder's. */
const looks: readonly (readonly [string, (path: string) => Promise<unknown>, unknown])[] = [
  ['listNames', listNames, []],
  ['listFolders', listFolders, []],
  ['findStats', findStats, undefined],
  ['sizeOf', sizeOf, 0],
  ['readText', readText, ''],
  ['readHead', async (path) => (await readHead(path, 100)).toString(), ''],
];

test.each(looks)(
  'rule 41: %s takes what does not exist for an answer',
  async (_, look, nothing) => {
    writeFileSync(join(root, 'file'), 'x');
    expect(await look(join(root, 'nowhere'))).toEqual(nothing);
    expect(await look(join(root, 'nowhere/below'))).toEqual(nothing);
    // A stray file among folders: nothing lies below it.
    expect(await look(join(root, 'file/below'))).toEqual(nothing);
  },
);

test.each(looks)('rule 41: %s throws where it cannot look', async (_, look) => {
  symlinkSync('loop', join(root, 'loop'));
  await expect(look(join(root, 'loop/below'))).rejects.toThrow('ELOOP');
  await expect(look(join(root, 'x'.repeat(300)))).rejects.toThrow('ENAMETOOLONG');
});

test.runIf(process.getuid?.() !== 0)(
  'rule 41: a folder that is closed to us is not empty',
  async () => {
    mkdirSync(join(root, 'closed'));
    chmodSync(join(root, 'closed'), 0);
    for (const [, look] of looks) await expect(look(join(root, 'closed/below'))).rejects.toThrow();
    await expect(listNames(join(root, 'closed'))).rejects.toThrow('EACCES');
  },
);

test('rule 41: a file in the place of a folder does not make the folder empty', async () => {
  writeFileSync(join(root, 'file'), 'x');
  await expect(listNames(join(root, 'file'))).rejects.toThrow('ENOTDIR');
  await expect(listFolders(join(root, 'file'))).rejects.toThrow('ENOTDIR');
});

test('the head of a file ends where the file does, or at the limit', async () => {
  writeFileSync(join(root, 'file'), 'one\ntwo\n');
  expect((await readHead(join(root, 'file'), 4)).toString()).toBe('one\n');
  expect((await readHead(join(root, 'file'), 100)).toString()).toBe('one\ntwo\n');
});
