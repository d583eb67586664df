import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { requireNoAgent, requireUserOrSure } from '../../src/client/direct/consent.ts';
import { replaceOlder } from '../../src/client/direct/replace-older.ts';
import { readInfo } from '../../src/client/socket/find-daemon.ts';
import { findFolders } from '../../src/config/folders.ts';
import { systemClock } from '../../src/shared/clock.ts';
import { openSqliteLedger } from '../../src/store/sqlite/open.ts';
import { failingFiles } from '../support/failing-files.ts';
import { tempHome } from '../support/home.ts';

vi.mock('node:fs', async (original) => {
  const { failingFiles: files } = await import('../support/failing-files.ts');
  return files.wrapSync(await original<typeof import('node:fs')>());
});

// Whoever runs the tests may be an agent.
vi.mock('../../src/shared/process-tree.ts', async (original) => ({
  ...(await original<typeof import('../../src/shared/process-tree.ts')>()),
  listAncestors: () => [],
}));

const at = 'readFileSync /daemon.json';

test('rule 41: an older daemon that cannot be read about is not taken for none before a ledger is migrated', async () => {
  const home = tempHome();
  const folders = findFolders({ SIGNALBOX_HOME: home });
  expect(readInfo(folders)).toBeUndefined();
  // Half of one: it is being written.
  writeFileSync(join(home, 'daemon.json'), '{"pid":');
  expect(readInfo(folders)).toBeUndefined();
  for (const code of ['EMFILE', 'EIO'] as const) {
    failingFiles.begin(home, { failure: { at, code } });
    await expect(replaceOlder(folders, {}, () => undefined)).rejects.toMatchObject({
      code: 'disk-trouble',
      message: expect.stringContaining(`cannot be read (${code})`),
    });
    expect(failingFiles.end().hasFailed).toBe(true);
  }
});

test('rules 41, 52: whoever asks while that cannot be read is not taken for the user', async () => {
  const home = tempHome();
  const env = { SIGNALBOX_HOME: home };
  const path = join(home, 'ledger.db');
  await (await openSqliteLedger(path, { clock: systemClock, lockWaitMs: 0 })).close();
  for (const ask of [
    () => requireNoAgent(env, 'change the settings'),
    () => requireUserOrSure(env, 'uninstall signalbox', true),
  ]) {
    failingFiles.begin(home, { failure: { at, code: 'EMFILE' } });
    await expect(ask()).rejects.toMatchObject({ code: 'disk-trouble' });
    expect(failingFiles.end().hasFailed).toBe(true);
    await ask();
  }
});
