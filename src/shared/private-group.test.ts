import { writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempHome } from '../../test/support/home.ts';
import { isPrivateGroup } from './private-group.ts';

const { username: me } = userInfo();
const myself = `${me}:x:4321:4322:me:/:/bin/sh`;
const bob = 'bob:x:4400:4322:Bob:/:/bin/sh';

function write(group: string, users: readonly string[]) {
  const folder = tempHome();
  const files = { group: join(folder, 'group'), passwd: join(folder, 'passwd') };
  writeFileSync(files.group, `root:x:0:\n${group}\n`);
  writeFileSync(files.passwd, ['daemon:x:1:1:daemon:/:/bin/sh', ...users, ''].join('\n'));
  return files;
}

test.each([
  ['a group of this user alone, whatever its number', `${me}:x:4322:`, [myself], true],
  ['one that lists this user once more', `${me}:x:4322:${me}`, [myself], true],
  ['one with another member', `${me}:x:4322:${me},bob`, [myself], false],
  ['one that is the first group of another user, too', 'staff:x:4322:', [myself, bob], false],
  ['one of which this user is no member by the files', 'staff:x:4322:', [], false],
])('%s', (_, group, users, isPrivate) => {
  expect(isPrivateGroup(4322, write(group, users))).toBe(isPrivate);
});

test('where the files list neither user nor group, the numbers tell, as with a directory service', () => {
  const gid = process.getgid?.() ?? -1;
  const isSame = gid === process.geteuid?.();
  expect(isPrivateGroup(gid, write('', []))).toBe(isSame);
  expect(isPrivateGroup(gid, write(`x:x:${gid}:bob`, []))).toBe(false);
  expect(isPrivateGroup(4322, write('', []))).toBe(false);
});

test('a file that is there and cannot be read makes no group private; one that is missing lists nobody', () => {
  const folder = tempHome();
  const missing = { group: join(folder, 'group'), passwd: join(folder, 'passwd') };
  const gid = process.getgid?.() ?? -1;
  expect(isPrivateGroup(gid, missing)).toBe(gid === process.geteuid?.());
  // A folder in its place: it cannot be read as a file.
  expect(isPrivateGroup(gid, { ...missing, group: folder })).toBe(false);
  expect(isPrivateGroup(gid, { ...missing, passwd: folder })).toBe(false);
});
