import { mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { findNotifier } from '../../src/attention/desktop.ts';
import { inspectProviders } from '../../src/client/doctor-terminals.ts';
import { findProviders } from '../../src/daemon/find-providers.ts';
import { findProgram } from '../../src/fleet/find-program.ts';
import { openProviderShelf } from '../../src/providers/registry.ts';
import { findUsualProvider } from '../../src/providers/usual.ts';
import { findOnPath } from '../../src/shared/find-on-path.ts';
import { failingFiles } from '../support/failing-files.ts';
import { tempHome } from '../support/home.ts';

vi.mock('node:fs/promises', async (original) => {
  const { failingFiles: files } = await import('../support/failing-files.ts');
  return files.wrapPromises(await original<typeof import('node:fs/promises')>());
});

/** Two folders on the PATH; the second one has this program. */
function install(name: string) {
  const home = tempHome();
  const [first, second] = [join(home, 'first'), join(home, 'second')];
  for (const path of [first, second]) mkdirSync(path);
  writeFileSync(join(second, name), '', { mode: 0o700 });
  return { home, path: [first, second].join(delimiter), program: join(second, name) };
}

test.each(['stat /first/prog', 'stat /second/prog', 'access /second/prog'])(
  'rule 41: an error at %s is no proof that nothing is installed',
  async (at) => {
    const { home, path } = install('prog');
    failingFiles.begin(home, { failure: { at, code: 'EIO' } });
    await expect(findOnPath('prog', path)).rejects.toMatchObject({
      code: 'disk-trouble',
      message: `signalbox cannot tell whether prog is installed: ${join(home, at.split(' ')[1] ?? '')} cannot be looked at (EIO).`,
    });
    expect(failingFiles.end().hasFailed).toBe(true);
  },
);

test('a folder on a volume that is gone is passed over, as the system does, unless it is the last hope', async () => {
  const { home, path, program } = install('prog');
  const stale = { failure: { at: 'stat /first/prog', code: 'ESTALE' } } as const;
  failingFiles.begin(home, stale);
  expect(await findOnPath('prog', path)).toBe(program);
  failingFiles.begin(home, stale);
  await expect(findOnPath('prog', join(home, 'first'))).rejects.toThrow(/looked at \(ESTALE\)/);
  expect(failingFiles.end().hasFailed).toBe(true);
});

test('a folder that is closed to us has no program of ours', async () => {
  const { home, path, program } = install('prog');
  failingFiles.begin(home, { failure: { at: 'stat /first/prog', code: 'EACCES' } });
  expect(await findOnPath('prog', path)).toBe(program);
  failingFiles.end();
});

test('rule 41: no other CLI is launched because the usual one cannot be looked at', async () => {
  const { home, path } = install('codex');
  const shelf = openProviderShelf({ state: home, config: home });
  const usual = { value: 'claude-code', source: 'default' } as const;
  expect(await findUsualProvider(usual, shelf, path)).toBe('codex');
  failingFiles.begin(home, { failure: { at: 'stat /first/claude', code: 'EIO' } });
  await expect(findUsualProvider(usual, shelf, path)).rejects.toThrow(
    /whether claude is installed/,
  );
  expect(failingFiles.end().hasFailed).toBe(true);
});

test('rule 41: a launch says that it cannot tell, by name and by path', async () => {
  const { home, path, program } = install('codex');
  const provider = await openProviderShelf({ state: home, config: home }).find('codex');
  const launch = (executable: string) =>
    findProgram({ ...provider, executable }, { PATH: path }, { cwd: home, extraArgs: [] });
  expect(await launch('codex')).toBe(program);
  for (const name of ['codex', program]) {
    failingFiles.begin(home, { failure: { at: 'stat /second/codex', code: 'EIO' } });
    await expect(launch(name)).rejects.toMatchObject({
      code: 'disk-trouble',
      message: expect.stringContaining('cannot be looked at (EIO)'),
    });
    expect(failingFiles.end().hasFailed).toBe(true);
  }
});

test('rule 41: a notifier that cannot be looked at is not said to be missing', async () => {
  const { home, path } = install('notify-send');
  failingFiles.begin(home, { failure: { at: 'stat /second/notify-send', code: 'EIO' } });
  expect(await findNotifier({ PATH: path }, 'linux')).toMatchObject({
    kind: 'none',
    why: expect.stringContaining('cannot be looked at (EIO)'),
  });
  expect(failingFiles.end().hasFailed).toBe(true);
});

test('rule 41: doctor and health say of such a CLI neither that it is there nor that it is missing', async () => {
  const { home, path } = install('claude');
  const folders = { state: home, config: home };
  const failure = { at: 'stat /second/claude', code: 'EIO' } as const;
  failingFiles.begin(home, { failure });
  const { report, attention } = await inspectProviders(folders, { PATH: path });
  expect(Object.keys(report)).not.toContain('claude-code');
  expect(Object.keys(report)).toContain('codex');
  expect(attention).toMatchObject([
    { what: expect.stringContaining('whether claude is installed') },
  ]);
  failingFiles.begin(home, { failure });
  const health = await findProviders(openProviderShelf(folders), { PATH: path });
  failingFiles.end();
  expect(health['claude-code']).toMatchObject({
    state: 'unknown',
    detail: expect.stringContaining('cannot be looked at (EIO)'),
  });
});
