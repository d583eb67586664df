import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { tempHome } from '../../test/support/home.ts';
import { userTokenPath } from '../config/folders.ts';
import { keepUserToken } from './user-token.ts';

test('rule 52: the user’s token is made once, for the user’s eyes alone, and kept', () => {
  const home = tempHome();
  const folders = { config: home, state: home };
  const made = keepUserToken(folders);
  expect(made).toMatch(/^usr_[0-9a-z]{26}$/);
  expect(statSync(userTokenPath(folders)).mode & 0o777).toBe(0o600);
  expect(keepUserToken(folders)).toBe(made);
  expect(readFileSync(userTokenPath(folders), 'utf8')).toBe(`${made}\n`);
});

test('a file that holds no token is replaced, also where it cannot be written to', () => {
  const home = tempHome();
  const folders = { config: home, state: home };
  for (const text of ['', 'usr_short', 'half a tok']) {
    writeFileSync(userTokenPath(folders), text);
    chmodSync(userTokenPath(folders), 0o400);
    const made = keepUserToken(folders);
    expect(keepUserToken(folders)).toBe(made);
    expect(statSync(userTokenPath(folders)).mode & 0o777).toBe(0o600);
  }
});
