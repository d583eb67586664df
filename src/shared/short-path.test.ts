import { chmodSync, lstatSync, mkdirSync, readlinkSync, realpathSync, rmSync } from 'node:fs';
import { userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { tempHome } from '../../test/support/home.ts';
import { Fault } from './fault.ts';
import { shortSocketPath } from './short-path.ts';

function deepFolder(): string {
  const folder = join(tempHome(), 'very-long-name-'.repeat(12));
  mkdirSync(folder);
  return folder;
}

test('a short path is taken as it is', () => {
  const home = tempHome();
  expect(shortSocketPath(home, 'a.sock', {})).toBe(join(home, 'a.sock'));
});

test('a deep folder is reached by a short path that leads into it, the same one each time', () => {
  const folder = deepFolder();
  const env = { XDG_RUNTIME_DIR: tempHome() };
  const path = shortSocketPath(folder, 'a.sock', env);
  expect(Buffer.byteLength(path)).toBeLessThanOrEqual(100);
  expect(realpathSync(dirname(path))).toBe(realpathSync(folder));
  expect(shortSocketPath(folder, 'a.sock', env)).toBe(path);
  rmSync(dirname(path)); // As a cleaner of /tmp would.
  expect(shortSocketPath(folder, 'a.sock', env)).toBe(path);
  expect(lstatSync(join(path, '..', '..')).mode & 0o077).toBe(0);
});

test('another folder gets another path, and a moved one its own', () => {
  const env = { XDG_RUNTIME_DIR: tempHome() };
  const [one, other] = [deepFolder(), deepFolder()].map((folder) =>
    shortSocketPath(folder, 's', env),
  );
  expect(one).not.toBe(other);
  expect(readlinkSync(dirname(one ?? ''))).not.toBe(readlinkSync(dirname(other ?? '')));
});

test('a folder that others can write is never trusted with the link', () => {
  const runtime = tempHome();
  const shared = join(runtime, `signalbox-${userInfo().uid}`);
  mkdirSync(shared);
  chmodSync(shared, 0o777);
  const elsewhere = tempHome();
  const env = { XDG_RUNTIME_DIR: runtime, TMPDIR: elsewhere };
  const path = shortSocketPath(deepFolder(), 's', env);
  expect(path.startsWith(elsewhere)).toBe(true);
});

test('a name that leaves no room is refused with what to do', () => {
  const refuse = () => shortSocketPath(deepFolder(), 'x'.repeat(100), { TMPDIR: tempHome() });
  expect(refuse).toThrow(Fault);
});
