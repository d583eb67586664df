import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { DoctorReport } from '../../src/protocol/doctor.ts';
import { openDaemonBox } from '../support/daemon.ts';
import { tempHome } from '../support/home.ts';
import { sweepList } from '../support/sweep.ts';
import { boxAt, openBox } from './fixtures/box.ts';
import { expectFault } from './fixtures/expect-fault.ts';

test.each(
  sweepList(
    [
      ['config.yaml', 'config.yaml', 0o666],
      ['a profile', 'profiles/helper.md', 0o662],
      ['the folder of profiles', 'profiles', 0o1777],
      ['a rule of a detector', 'detectors/claude-code.yaml', 0o602],
      ['the folder of settings', '.', 0o777],
    ] as const,
    2,
  ),
)(
  'settings that every user can change are refused, and doctor --fix closes them: %s',
  async (_, path, mode) => {
    const home = tempHome();
    const config = join(home, 'config');
    const settings = join(config, 'signalbox');
    for (const folder of ['profiles', 'detectors'])
      mkdirSync(join(settings, folder), { recursive: true, mode: 0o755 });
    for (const file of ['config.yaml', 'profiles/helper.md', 'detectors/claude-code.yaml'])
      writeFileSync(join(settings, file), '', { mode: 0o644 });
    const xdg = {
      SIGNALBOX_HOME: '',
      XDG_CONFIG_HOME: config,
      XDG_STATE_HOME: join(home, 'state'),
    };
    const box = boxAt(home, xdg);
    expect(await box.run(['config'])).toMatchObject({ code: 0 });
    const exposed = join(settings, path);
    chmodSync(exposed, mode);
    const refused = await box.run(['profile', 'list', '--json']);
    expectFault(refused, 5, 'folder-exposed', new RegExp(`chmod go-w ${exposed}\\b`));
    expectFault(await box.run(['ls', '--json']), 5, 'folder-exposed', /your settings/);
    const report = (await box.run(['doctor', '--fix', '--json'])).json<DoctorReport>();
    expect(report.fixed).toEqual([`${exposed} is closed to others now`]);
    expect(await box.run(['profile', 'list'])).toMatchObject({ code: 0 });
  },
);

test('settings that lead to one’s own dotfiles are read, as long as nobody else can change those', async () => {
  const home = tempHome();
  const dotfiles = join(home, 'dotfiles');
  mkdirSync(dotfiles);
  mkdirSync(join(home, 'state'), { mode: 0o700 });
  writeFileSync(join(dotfiles, 'config.yaml'), 'retention: 3d\n', { mode: 0o644 });
  symlinkSync(join(dotfiles, 'config.yaml'), join(home, 'state', 'config.yaml'));
  const box = boxAt(join(home, 'state'));
  expect((await box.run(['config', 'get', 'retention'])).stdout).toContain('3d');
  chmodSync(dotfiles, 0o777);
  const refused = await box.run(['config', 'get', 'retention', '--json']);
  expectFault(refused, 5, 'folder-exposed', /chmod go-w \S+dotfiles/);
});

const canList = spawnSync('setfacl', ['--version']).status === 0 && process.geteuid?.() === 0;

test.runIf(canList)(
  'a folder above that an access list opens is refused by the daemon, and doctor --fix closes it (left out without root and setfacl)',
  { tags: ['full'] },
  async () => {
    const above = join(tempHome(), 'above');
    mkdirSync(join(above, 'state'), { recursive: true, mode: 0o700 });
    chmodSync(above, 0o770);
    const box = openDaemonBox(join(above, 'state'));
    expect(await box.run(['up'])).toMatchObject({ code: 0 });
    expect(await box.run(['down'])).toMatchObject({ code: 0 });
    spawnSync('setfacl', ['-m', 'u:65534:rwx', above]);
    const refused = await box.run(['up']);
    expect([refused.code, refused.stderr]).toEqual([6, expect.stringContaining('access list')]);
    const report = (await box.run(['doctor', '--fix', '--json'])).json<DoctorReport>();
    expect(report.fixed).toEqual([`${above} is closed to others now`]);
    expect(await box.run(['up'])).toMatchObject({ code: 0 });
  },
);

test('an agent does not change the limits that the settings hold for it', async () => {
  const box = await openBox('worker');
  const refused = await box.runAs('worker', ['config', 'set', 'depth-limit', '99', '--json']);
  expectFault(refused, 5, 'not-allowed', /change the settings/);
  expect((await box.run(['config', 'get', 'depth-limit'])).stdout).toBe('3\n');
});
