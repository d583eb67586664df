import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempHome } from '../../test/support/home.ts';
import { waitUntil } from '../../test/support/wait-until.ts';
import { openInBrowser } from './open-in-browser.ts';

const url = "http://127.0.0.1:4100/#link=$(touch evil)'; touch evil #";

test('an address is opened by argv, whatever stands in it, and where no program can it says so', async () => {
  const folder = tempHome();
  const bin = join(folder, 'bin');
  mkdirSync(bin);
  const env = { PATH: bin, HOME: folder };
  expect(await openInBrowser(url, env, 'linux')).toMatch(/^There is no xdg-open here/);
  expect(await openInBrowser(url, env, 'darwin')).toMatch(/^There is no open here/);
  const said = join(folder, 'said');
  const script = `#!/bin/sh\nprintf '%s|%s' "$#" "$1" > ${said}.new && /bin/mv ${said}.new ${said}\n`;
  writeFileSync(join(bin, 'xdg-open'), script, { mode: 0o755 });
  expect(await openInBrowser(url, env, 'linux')).toBeUndefined();
  await waitUntil('the opener', () => existsSync(said));
  expect(readFileSync(said, 'utf8')).toBe(`1|${url}`);
  expect(existsSync('evil')).toBe(false);
});
