import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { DoctorReport } from '../../src/protocol/doctor.ts';
import { tempHome } from '../support/home.ts';
import { boxAt } from './fixtures/box.ts';
import { expectFault } from './fixtures/expect-fault.ts';

test.each([
  ['config.yaml', 'config.yaml', 0o666],
  ['a profile', 'profiles/helper.md', 0o662],
  ['the folder of profiles', 'profiles', 0o1777],
  ['a rule of a detector', 'detectors/claude-code.yaml', 0o602],
  ['the folder of settings', '.', 0o777],
])(
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
