import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { writeRunFolder } from './write-run-folder.ts';

let base: string;
let home: string;
let run: string;

beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'signalbox-run-'));
  home = join(base, 'home');
  run = join(base, 'run', 'agt_1-1');
  mkdirSync(join(home, 'sessions'), { recursive: true });
  writeFileSync(join(home, 'config'), 'his');
  writeFileSync(join(home, '.env'), 'KEY=1');
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

test('files are private, and an earlier try leaves nothing behind', async () => {
  await writeRunFolder(run, { files: [{ path: 'old', text: '' }] });
  await writeRunFolder(run, { files: [{ path: 'a/b', text: 'x' }] });
  expect(readdirSync(run)).toEqual(['a']);
  expect(readFileSync(join(run, 'a/b'), 'utf8')).toBe('x');
  expect(statSync(run).mode & 0o777).toBe(0o700);
  expect(statSync(join(run, 'a/b')).mode & 0o777).toBe(0o600);
});

test('rule 39: an overlay leads to each entry but those that are ours, and the user’s stay as they are', async () => {
  const overlay = { from: home, to: 'home', except: ['config'] };
  await writeRunFolder(run, {
    overlays: [overlay],
    files: [{ path: 'home/config', text: 'ours' }],
  });
  expect(readdirSync(join(run, 'home')).toSorted()).toEqual(['.env', 'config', 'sessions']);
  expect(readlinkSync(join(run, 'home/sessions'))).toBe(join(home, 'sessions'));
  expect(readFileSync(join(home, 'config'), 'utf8')).toBe('his');
  writeFileSync(join(run, 'home/sessions/one'), '');
  // The next life, and the end of this one, take the links away and not what they lead to.
  await writeRunFolder(run, { files: [] });
  expect(existsSync(join(home, 'sessions/one'))).toBe(true);
});

test('an overlay of some entries, and of a folder that is not there', async () => {
  const overlays = [
    { from: home, to: 'home', only: ['.env', '.agents'] },
    { from: join(base, 'nowhere'), to: 'home/none' },
  ];
  await writeRunFolder(run, { overlays, files: [] });
  expect(readdirSync(join(run, 'home')).toSorted()).toEqual(['.env', 'none']);
});

test('a file is never written through a link', async () => {
  const plan = {
    overlays: [{ from: home, to: 'home' }],
    files: [{ path: 'home/config', text: 'ours' }],
  };
  await expect(writeRunFolder(run, plan)).rejects.toThrow('EEXIST');
  expect(readFileSync(join(home, 'config'), 'utf8')).toBe('his');
});
