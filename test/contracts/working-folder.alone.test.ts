import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import type { Agent } from '../../src/agents/agent.ts';
import { checkFolder, checkFolderOf } from '../../src/fleet/check-folder.ts';
import type { Fault } from '../../src/shared/fault.ts';
import { failingFiles } from '../support/failing-files.ts';
import { tempHome } from '../support/home.ts';

vi.mock('node:fs/promises', async (original) => {
  const { failingFiles: files } = await import('../support/failing-files.ts');
  return files.wrapPromises(await original<typeof import('node:fs/promises')>());
});

test('a folder is fine, also behind a link', async () => {
  const home = tempHome();
  mkdirSync(join(home, 'shop'));
  symlinkSync('shop', join(home, 'link'));
  await checkFolder(join(home, 'shop'));
  await checkFolder(join(home, 'link'));
});

test('rule 41: only a folder that does not exist is said not to exist', async () => {
  const home = tempHome();
  writeFileSync(join(home, 'file'), '');
  symlinkSync('circle', join(home, 'circle'));
  symlinkSync('nowhere', join(home, 'dangling'));
  const said = async (path: string): Promise<string> => (await fail(join(home, path))).message;
  expect(await said('gone')).toMatch(/gone" does not exist\.$/);
  expect(await said('dangling')).toMatch(/dangling" does not exist\.$/);
  for (const path of ['file', 'file/below']) {
    expect(await said(path)).toMatch(/is no folder: it, or a part of its path, is a file\.$/);
  }
  expect(await said('circle/below')).toMatch(/leads in a circle/);
  expect(await said('x'.repeat(300))).toMatch(/too long for this system/);
});

const stat = 'stat /shop';
const access = 'access /shop';
test.each([
  { at: stat, code: 'EACCES', says: /is closed to signalbox/, as: 'invalid-input' },
  { at: access, code: 'EACCES', says: /is closed to signalbox/, as: 'invalid-input' },
  { at: stat, code: 'EIO', says: /cannot be looked at \(EIO\)/, as: 'launch-failed' },
  { at: stat, code: 'EMFILE', says: /cannot be looked at \(EMFILE\)/, as: 'launch-failed' },
  { at: access, code: 'EIO', says: /cannot be looked at \(EIO\)/, as: 'launch-failed' },
] as const)('rule 41: $code at $at is said, with its next step', async ({ at, code, says, as }) => {
  const home = tempHome();
  mkdirSync(join(home, 'shop'));
  const cwd = join(home, 'shop');
  failingFiles.begin(home, { failure: { at, code } });
  const fault = await fail(cwd);
  expect(failingFiles.end().hasFailed).toBe(true);
  expect(fault).toMatchObject({ code: as, message: expect.stringMatching(says) });
  expect(fault.next).toMatch(/or give another folder with --cwd\.$/);
});

test('rule 41: a restart says of the folder what the system said, and how to go on', async () => {
  const home = tempHome();
  mkdirSync(join(home, 'shop'));
  const gone = await failOf({ cwd: join(home, 'gone') });
  expect(gone.message).toMatch(/^The working folder of "worker" is gone: /);
  expect(gone.next).toBe(
    'Make it, or let it work elsewhere with `signalbox restart worker --cwd <folder>`.',
  );
  failingFiles.begin(home, { failure: { at: 'stat /shop', code: 'EIO' } });
  const unknown = await failOf({ cwd: join(home, 'shop') });
  expect(failingFiles.end().hasFailed).toBe(true);
  expect(unknown.message).toMatch(/^The working folder of "worker" cannot be looked at \(EIO\)/);
});

test('an agent is not told to leave its worktree, which `restart --cwd` refuses', async () => {
  const cwd = join(tempHome(), 'gone');
  const worktree = { path: cwd, branch: 'b', repository: '/r', base: 'c' };
  expect((await failOf({ cwd, worktree })).next).toBe('Make it.');
});

function fail(cwd: string): Promise<Fault> {
  return checkFolder(cwd).then(
    () => Promise.reject(new Error('the folder was taken')),
    (error: Fault) => error,
  );
}

function failOf(agent: Pick<Agent, 'cwd' | 'worktree'>): Promise<Fault> {
  return checkFolderOf({ ...agent, id: 'agt_1', name: 'worker', session: 's' } as Agent).then(
    () => Promise.reject(new Error('the folder was taken')),
    (error: Fault) => error,
  );
}
