import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempHome } from '../../../test/support/home.ts';
import { purge } from './purge.ts';

test('what cannot be read or removed is kept and named, and keeps nothing else', async () => {
  const home = tempHome();
  const [state, config] = [join(home, 'state'), join(home, 'config')];
  mkdirSync(join(state, 'logs'), { recursive: true });
  writeFileSync(join(state, 'ledger.db'), '');
  writeFileSync(join(state, 'logs', 'daemon.log'), '');
  // Nobody can read it, the superuser neither.
  symlinkSync(config, config);
  const { removed, kept } = await purge({ state, config });
  expect(existsSync(state)).toBe(false);
  expect(removed).toContain(join(state, 'ledger.db'));
  expect(kept).toEqual([{ path: config, why: expect.stringMatching(/^it cannot be read: ELOOP/) }]);
});
