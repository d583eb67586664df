import { writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempHome } from '../../test/support/home.ts';
import { isPrivateGroup } from './private-group.ts';

const { username: me } = userInfo();
const others = 'daemon:x:1:1:daemon:/:/bin/sh';

test.each([
  ['a group of this user alone, whatever its number', `${me}:x:4322:`, [], true],
  ['one that lists this user once more', `${me}:x:4322:${me}`, [], true],
  ['one with another member', `${me}:x:4322:${me},bob`, [], false],
  ['the first group of another user', 'staff:x:4322:', ['bob:x:4400:4322:Bob:/:/bin/sh'], false],
  ['a group that the files do not list', 'other:x:5000:', [], false],
])('%s', (_, group, more, isPrivate) => {
  const folder = tempHome();
  const files = { group: join(folder, 'group'), passwd: join(folder, 'passwd') };
  writeFileSync(files.group, `root:x:0:\n${group}\n`);
  writeFileSync(files.passwd, [others, `${me}:x:4321:4322:me:/:/bin/sh`, ...more, ''].join('\n'));
  expect(isPrivateGroup(4322, files)).toBe(isPrivate);
});

test('a group is shared as long as the files cannot be read', () => {
  const folder = tempHome();
  const missing = { group: join(folder, 'group'), passwd: join(folder, 'passwd') };
  expect(isPrivateGroup(4322, missing)).toBe(false);
});
