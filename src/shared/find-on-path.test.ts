import { mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { expect, test } from 'vitest';
import { tempHome } from '../../test/support/home.ts';
import { findOnPath } from './find-on-path.ts';

test('the first program of that name is found; folders, plain files and relative places are not', async () => {
  const home = tempHome();
  const folders = ['folder', 'plain', 'first', 'second'].map((name) => join(home, name));
  const [folder = '', plain = '', first = '', second = ''] = folders;
  mkdirSync(join(folder, 'prog'), { recursive: true });
  for (const path of [plain, first, second]) mkdirSync(path);
  writeFileSync(join(plain, 'prog'), '', { mode: 0o600 });
  for (const path of [first, second]) writeFileSync(join(path, 'prog'), '', { mode: 0o700 });
  const path = ['', '.', folder, plain, first, second].join(delimiter);
  expect(await findOnPath('prog', path)).toBe(join(first, 'prog'));
  expect(await findOnPath('prog', [folder, plain].join(delimiter))).toBeUndefined();
  expect(await findOnPath('prog', '')).toBeUndefined();
});
