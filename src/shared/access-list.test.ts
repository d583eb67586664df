import { spawnSync } from 'node:child_process';
import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempHome } from '../../test/support/home.ts';
import { hasAccessList } from './access-list.ts';

const canSet = spawnSync('setfacl', ['--version']).status === 0;

test('a folder without an access list has none, and a path that cannot be asked about is not believed', () => {
  const folder = tempHome();
  chmodSync(folder, 0o770);
  expect(hasAccessList(folder)).toBe(false);
  expect(hasAccessList(join(folder, 'missing'))).toBe(true);
});

test.runIf(canSet)(
  'an access list shows behind the mode (left out where setfacl is missing)',
  () => {
    const folder = tempHome();
    expect(spawnSync('setfacl', ['-m', 'u:65534:rwx', folder]).status).toBe(0);
    expect(hasAccessList(folder)).toBe(true);
  },
);
