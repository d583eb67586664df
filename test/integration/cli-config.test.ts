import { mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { tempHome } from '../support/home.ts';
import { boxAt, openBox } from './fixtures/box.ts';
import { expectFault } from './fixtures/expect-fault.ts';

interface Config {
  readonly config: string;
  readonly ledger: string;
  readonly settings: readonly {
    name: string;
    value: number | string;
    text: string;
    source: string;
  }[];
  readonly unknown: readonly string[];
}

test('config prints each value and where it came from: environment over file over default', async () => {
  const box = await openBox();
  writeFileSync(join(box.home, 'config.yaml'), 'retention: 30d\nbody-limit: 4096\n');
  // Without a CLI on the PATH, whoever runs the tests: the only one would be the default.
  const env = {
    SIGNALBOX_BODY_LIMIT: '64KiB',
    SIGNALBOX_DESKTOP_NOTIFICATIONS: '',
    PATH: '/nowhere',
  };
  const config = (await box.run(['config', '--json'], { env })).json<Config>();
  expect(config).toEqual({
    config: join(box.home, 'config.yaml'),
    ledger: join(box.home, 'ledger.db'),
    settings: [
      { name: 'body-limit', value: 65_536, text: '64KiB', source: 'environment' },
      { name: 'retention', value: 2_592_000_000, text: '30d', source: 'config.yaml' },
      { name: 'lock-wait', value: 30_000, text: '30s', source: 'default' },
      { name: 'block-budget', value: 3, text: '3', source: 'default' },
      { name: 'wake-budget', value: 60, text: '60', source: 'default' },
      { name: 'script-budget', value: 240, text: '240', source: 'default' },
      { name: 'notice-after', value: 10_000, text: '10s', source: 'default' },
      { name: 'depth-limit', value: 3, text: '3', source: 'default' },
      { name: 'breadth-limit', value: 10, text: '10', source: 'default' },
      { name: 'idle-stop', value: 1_800_000, text: '30m', source: 'default' },
      {
        name: 'default-provider',
        value: 'claude-code',
        text: 'claude-code',
        source: 'default',
      },
      { name: 'terminal', value: 'tmux', text: 'tmux', source: 'default' },
      { name: 'attach-key', value: 'Ctrl-]', text: 'Ctrl-]', source: 'default' },
      { name: 'herdr-session', value: 'signalbox', text: 'signalbox', source: 'default' },
      { name: 'supervisors-answer', value: '', text: '', source: 'default' },
      { name: 'desktop-notifications', value: 'auto', text: 'auto', source: 'default' },
      { name: 'on-attention', value: '', text: '', source: 'default' },
    ],
    unknown: [],
  });
  const { stdout } = await box.run(['config'], { env });
  expect(stdout).toMatch(/^NAME +VALUE +FROM +WHAT\nbody-limit +64KiB +environment +\S/);
  expect(stdout).toContain(`\nconfig  ${join(box.home, 'config.yaml')}\n`);
  expect((await box.run(['config', 'get', 'body-limit'], { env })).stdout).toBe('64KiB\n');
  expect((await box.run(['config', 'get', 'body-limit'])).stdout).toBe('4096\n');
  // Looking at the configuration makes no ledger.
  expect(statSync(join(box.home, 'ledger.db'), { throwIfNoEntry: false })).toBeUndefined();
});

test('config set keeps everything else in the file, comments included', async () => {
  const box = await openBox();
  const path = join(box.home, 'config.yaml');
  const text = `# ours\nretention: 30d # a month\n\n# big ones\nbody-limit: 2MiB\nfuture: [1, 2]\n`;
  writeFileSync(path, text);
  const set = await box.ask('config', 'set', 'retention', '7d');
  expect(set).toEqual({
    name: 'retention',
    value: 604_800_000,
    text: '7d',
    source: 'config.yaml',
  });
  expect(readFileSync(path, 'utf8')).toBe(text.replace('30d', '7d').replace('[1, 2]', '[ 1, 2 ]'));
  expect((await box.run(['config', 'path'])).stdout).toBe(`${path}\n`);
});

test('config set makes the file for its owner alone, and says when the environment wins', async () => {
  const box = boxAt(join(tempHome(), 'new'));
  const env = { SIGNALBOX_RETENTION: '1h' };
  const ended = await box.run(['config', 'set', 'retention', '2d'], { env });
  expect(ended.stdout).toBe('retention is 2d now\n');
  expect(ended.stderr).toBe('signalbox: SIGNALBOX_RETENTION is set and wins over the file.\n');
  const path = join(box.home, 'config.yaml');
  expect(readFileSync(path, 'utf8')).toBe('retention: 2d\n');
  expect([statSync(box.home).mode & 0o777, statSync(path).mode & 0o777]).toEqual([0o700, 0o600]);
});

test('a wrong value or name is refused, and nothing is written', { tags: ['full'] }, async () => {
  const box = await openBox();
  const set = (name: string, value: string) =>
    box.run(['config', 'set', '--json', '--', name, value]);
  for (const value of ['1s', 'soon', '-1d', '', '99999d']) {
    const said = /is no value for retention\. Give a span from 1m to 3650d, such as 14d/;
    expectFault(await set('retention', value), 2, 'invalid-input', said);
  }
  expectFault(await set('terminal', 'screen'), 2, 'invalid-input', /Give one of tmux, herdr/);
  expectFault(await set('default-provider', 'No Name'), 2, 'invalid-input', /such as claude-code/);
  expectFault(await set('herdr-session', 'a/b'), 2, 'invalid-input', /such as signalbox/);
  expectFault(await set('terminal', 'screen'), 2, 'invalid-input', /one of tmux, herdr/);
  expectFault(await set('body-limit', '65MiB'), 2, 'invalid-input', /from 1B to 64MiB/);
  expectFault(await set('retenton', '1d'), 3, 'key-not-found', /Settings are body-limit/);
  expectFault(await box.run(['config', 'get', '__proto__', '--json']), 3, 'key-not-found');
  expect(statSync(join(box.home, 'config.yaml'), { throwIfNoEntry: false })).toBeUndefined();
});

describe('a broken configuration', () => {
  const broken = {
    'broken YAML': 'retention: [1',
    'a list': '- retention\n',
    'a text': 'hello\n',
    'a wrong value': 'retention: forever\n',
    'an empty value': 'retention:\n',
    'a key twice': 'retention: 1d\nretention: 2d\n',
  };
  test('stops every command that needs it with exit 1 and the name of the file', {
    tags: ['full'],
  }, async () => {
    const box = await openBox();
    const path = join(box.home, 'config.yaml');
    for (const [, text] of Object.entries(broken)) {
      writeFileSync(path, text);
      const ended = await box.run(['send', 'user', 'x', '--json']);
      expectFault(ended, 1, 'config-invalid', /config\.yaml/);
      expect(readFileSync(path, 'utf8')).toBe(text);
    }
    writeFileSync(path, 'retention: [1');
    const set = await box.run(['config', 'set', 'retention', '1d', '--json']);
    expectFault(set, 1, 'config-invalid', /cannot be read/);
    expect(readFileSync(path, 'utf8')).toBe('retention: [1');
    const wrong = await box.run(['ls', '--json'], { env: { SIGNALBOX_LOCK_WAIT: 'x' } });
    expectFault(wrong, 1, 'config-invalid');
  });

  test('an unknown name stops nothing; config shows that it is ignored', async () => {
    const box = await openBox();
    writeFileSync(join(box.home, 'config.yaml'), 'retenton: 1d\n');
    await box.send('user', 'x');
    expect((await box.ask<Config>('config')).unknown).toEqual(['retenton']);
    expect((await box.run(['config'])).stdout).toMatch(/\nignored "retenton": no such setting\n$/);
  });

  test('a configuration that cannot be written is a clear error, exit 1', async () => {
    const box = await openBox();
    // A link to nowhere: the file meant has no folder.
    symlinkSync(join(box.home, 'gone', 'config.yaml'), join(box.home, 'config.yaml'));
    const ended = await box.run(['config', 'set', 'retention', '1d', '--json']);
    expectFault(ended, 1, 'config-invalid', /could not be written: ENOENT/);
  });
});

describe('folders', () => {
  test('without SIGNALBOX_HOME the XDG folders are used, 0700, and the ledger 0600', async () => {
    const home = tempHome();
    const [state, config] = [join(home, 'my state'), join(home, 'my config')];
    const env = { HOME: home, XDG_STATE_HOME: state, XDG_CONFIG_HOME: config };
    const box = boxAt('');
    await box.run(['send', 'user', 'x'], { env });
    await box.run(['config', 'set', 'retention', '1d'], { env });
    const mode = (path: string) => statSync(path).mode & 0o777;
    expect(mode(join(state, 'signalbox'))).toBe(0o700);
    expect(mode(join(state, 'signalbox', 'ledger.db'))).toBe(0o600);
    expect(mode(join(config, 'signalbox'))).toBe(0o700);
    expect(mode(join(config, 'signalbox', 'config.yaml'))).toBe(0o600);
  });

  test('XDG folders have defaults under HOME, and a relative one is ignored', async () => {
    const home = tempHome();
    const env = { HOME: home, XDG_STATE_HOME: 'relative', XDG_CONFIG_HOME: '' };
    const { config, ledger } = (await boxAt('').run(['config', '--json'], { env })).json<Config>();
    expect(config).toBe(join(home, '.config', 'signalbox', 'config.yaml'));
    expect(ledger).toBe(join(home, '.local', 'state', 'signalbox', 'ledger.db'));
  });

  test('O14: with SIGNALBOX_HOME the configuration of the person is not read', async () => {
    const home = tempHome();
    mkdirSync(join(home, '.config', 'signalbox'), { recursive: true });
    writeFileSync(join(home, '.config', 'signalbox', 'config.yaml'), 'retention: [broken');
    const env = { HOME: home, XDG_CONFIG_HOME: join(home, '.config') };
    const ended = await boxAt(tempHome()).run(['ls', '--json'], { env });
    expect(ended.code).toBe(0);
  });

  test('a relative SIGNALBOX_HOME is taken from the folder the command runs in', async () => {
    const home = tempHome();
    const wrapper = ['sh', '-c', 'cd "$0" && exec "$@"', home];
    const ended = await boxAt('a folder').run(['config', 'path'], { wrapper });
    expect(ended.stdout).toBe(`${join(home, 'a folder', 'config.yaml')}\n`);
  });
});

test('on-attention comes from the file alone: an environment may be that of a project', async () => {
  const box = await openBox();
  const env = { SIGNALBOX_ON_ATTENTION: 'touch owned' };
  const read = async () => (await box.run(['config', 'get', 'on-attention'], { env })).stdout;
  expect(await read()).toBe('\n');
  const set = await box.run(['config', 'set', 'on-attention', 'say "you"'], { env });
  expect([set.stdout, set.stderr]).toEqual(['on-attention is say "you" now\n', '']);
  expect(await read()).toBe('say "you"\n');
  expectFault(
    await box.run(['config', 'set', 'on-attention', 'a\nb', '--json']),
    2,
    'invalid-input',
    /one line for sh/,
  );
});
