import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempHome } from '../../test/support/home.ts';
import { loadSettings, withTerminal } from './settings.ts';

interface Said {
  readonly flag?: string;
  readonly variable?: string;
  readonly file?: string;
}

test.for<[Said, string, string]>([
  [{}, 'tmux', 'default'],
  [{ file: 'herdr' }, 'herdr', 'config.yaml'],
  [{ variable: 'tmux', file: 'herdr' }, 'tmux', 'environment'],
  [{ variable: '', file: 'herdr' }, 'herdr', 'config.yaml'],
  [{ flag: 'herdr' }, 'herdr', 'environment'],
  [{ flag: 'herdr', variable: 'tmux', file: 'tmux' }, 'herdr', 'environment'],
  [{ flag: 'tmux', variable: 'herdr', file: 'herdr' }, 'tmux', 'environment'],
])('B1: %j: terminals live in %s', async ([{ flag, variable, file }, value, source]) => {
  const folder = tempHome();
  const line = file === undefined ? '' : `terminal: ${file}\n`;
  writeFileSync(join(folder, 'config.yaml'), `${line}herdr-session: mine\nwake-budget: 7\n`);
  const env = withTerminal(variable === undefined ? {} : { SIGNALBOX_TERMINAL: variable }, flag);
  const settings = await loadSettings({ config: folder, state: folder }, env);
  expect(settings.terminal).toMatchObject({ value, source });
  // The rest of the configuration still applies.
  expect([settings['herdr-session'].value, settings['wake-budget'].value]).toEqual(['mine', 7]);
});

test('B1: a wrong name is refused with the choices, wherever it comes from', async () => {
  const folders = { config: tempHome(), state: tempHome() };
  const refused = { code: 'config-invalid', next: 'Give one of tmux, herdr.' };
  const load = (env: NodeJS.ProcessEnv) => loadSettings(folders, env);
  await expect(load({ SIGNALBOX_TERMINAL: 'screen' })).rejects.toMatchObject(refused);
  await expect(load(withTerminal({}, 'screen'))).rejects.toMatchObject(refused);
  const env = { SIGNALBOX_HERDR_SESSION: 'a b' };
  await expect(load(env)).rejects.toMatchObject({
    next: expect.stringContaining('such as signalbox'),
  });
});

test('rule 55: idle-stop is a span, or off', async () => {
  const home = tempHome();
  const load = async (text: string) => {
    const env = { SIGNALBOX_IDLE_STOP: text };
    return (await loadSettings({ state: home, config: home }, env))['idle-stop'];
  };
  for (const text of ['off', '0', 'OFF']) expect((await load(text)).value).toBe(0);
  expect((await load('2h')).value).toBe(7_200_000);
  await expect(load('often')).rejects.toMatchObject({
    next: expect.stringMatching(/^Give off, or/),
  });
  const usual = (await loadSettings({ state: home, config: home }, {}))['idle-stop'];
  expect([usual.value, usual.text]).toEqual([1_800_000, '30m']);
});
