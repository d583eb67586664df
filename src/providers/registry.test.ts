import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { tempHome } from '../../test/support/home.ts';
import { launchRequest } from '../../test/support/launch-request.ts';
import type { Fault } from '../shared/fault.ts';
import type { LaunchRequest } from './launch-plan.ts';
import { openProviderShelf, type ProviderShelf } from './registry.ts';

async function openShelf(config = '', report?: (trouble: Fault) => void): Promise<ProviderShelf> {
  const home = tempHome();
  writeFileSync(join(home, 'config.yaml'), config);
  return openProviderShelf({ config: home, state: home }, report);
}

const request = (executablePath: string, extraArgs: readonly string[]): LaunchRequest =>
  launchRequest({ executablePath, extraArgs });

const toy = `
providers:
  toy:
    command: [toy, --fast, 'two words', '$HOME']
    idle: '^toy> ?$'
    busy: ['^thinking', '^working']
    waiting: '\\(y/n\\)$'
    error: '^fatal:'
    title: { busy: '^\\*' }
    empty: { row: '^toy>$', column: 5 }
    rows: 3
`;

test('a provider is found by its name or a short name, and an unknown one lists what there is', async () => {
  const shelf = await openShelf(toy);
  expect((await shelf.find('claude')).name).toBe('claude-code');
  expect((await shelf.find('codex')).name).toBe('codex');
  expect((await shelf.find('toy')).name).toBe('toy');
  for (const name of ['cluade', '', '__proto__', 'constructor', 'none']) {
    await expect(shelf.find(name)).rejects.toMatchObject({
      code: 'provider-not-found',
      next: expect.stringMatching(/There are: claude-code, codex, gemini, .*generic, toy/),
    });
  }
  await expect(shelf.find('cluade')).rejects.toMatchObject({
    next: expect.stringMatching(/^Did you mean "claude"/),
  });
});

test('every built-in provider is loaded under the name it gives itself', async () => {
  const shelf = await openShelf();
  for (const name of shelf.names) expect((await shelf.find(name)).name).toBe(name);
});

test('rule 22: each CLI whose own queue takes messages while it works says what Esc does to that queue', async () => {
  const shelf = await openShelf();
  const queues = new Map<string, string | undefined>();
  for (const name of shelf.names) {
    const { nativeDuring, queueOnEsc } = (await shelf.find(name)).capabilities;
    if (nativeDuring.length > 0 || queueOnEsc !== undefined) queues.set(name, queueOnEsc);
  }
  // Each was found in the lab (`esc-queue` in test/lab/delivery), not in a document.
  expect(Object.fromEntries(queues)).toEqual({
    codex: 'kept',
    opencode: 'kept',
    copilot: 'dropped',
    qwen: 'returned',
  });
});

describe('generic', () => {
  test('runs any program as it is given, and nothing is known about its screen', async () => {
    const shelf = await openShelf();
    const generic = await shelf.find('generic');
    const { argv, env, files } = generic.planLaunch(request('/usr/bin/top', ['top', '-d', '1 $x']));
    expect([argv, env, files]).toEqual([['/usr/bin/top', '-d', '1 $x'], {}, []]);
    const detect = await shelf.detector(generic, undefined);
    expect(detect({ lines: ['$ '] })).toMatchObject({ status: 'unknown', isBlind: true });
  });

  test('a program of config.yaml is launched by its own name, with its own and the person’s arguments', async () => {
    const provider = await (await openShelf(toy)).find('toy');
    expect(provider.executable).toBe('toy');
    expect(provider.planLaunch(request('/bin/toy', ['-x'])).argv).toEqual([
      '/bin/toy',
      '--fast',
      'two words',
      '$HOME',
      '-x',
    ]);
    expect(provider.capabilities.approvals).toBe('screen');
  });

  test('its patterns are asked in the order waiting, busy, error, idle, on the last rows alone', async () => {
    const shelf = await openShelf(toy);
    const detect = await shelf.detector({ name: 'toy' }, undefined);
    const say = (lines: readonly string[], title = '') => {
      const { status, detail, rule } = detect({ lines, title });
      return `${status}${detail ? `: ${detail}` : ''} ${rule}`;
    };
    expect(say(['toy>'])).toBe('idle idle-1');
    expect(say(['toy>', 'working'])).toBe('processing busy-2');
    expect(say(['toy>'], '* toy')).toBe('processing busy-title-1');
    expect(say(['working', 'Really? (y/n)'])).toBe('waiting: question waiting-1');
    expect(say(['fatal: no', 'toy>'])).toBe('error error-1');
    expect(say(['fatal: no', 'a', 'b', 'toy>'])).toBe('idle idle-1');
    expect(say(['hm'])).toBe('unknown none');
    expect(detect({ lines: ['toy>'], cursor: { x: 5, y: 0 } }).composer).toBe('empty');
    expect(detect({ lines: ['toy>'], cursor: { x: 8, y: 0 } }).composer).toBe('unknown');
    expect(detect({ lines: ['toy>'] }).composer).toBe('unknown');
  });

  test('a command as a text is cut at blanks, and refused when it asks for a shell', async () => {
    const plain = await openShelf('providers: { toy: { command: toy --fast } }');
    expect((await plain.find('toy')).planLaunch(request('/bin/toy', [])).argv).toEqual([
      '/bin/toy',
      '--fast',
    ]);
    for (const command of ['toy | tee x', 'toy "a b"', 'toy $HOME', 'toy; rm x']) {
      const config = `providers: { toy: { command: ${JSON.stringify(command)} } }`;
      await expect((await openShelf(config)).find('toy')).rejects.toMatchObject({
        message: expect.stringMatching(/no shell reads it/),
      });
    }
  });

  test('a user’s own rules lie over those of config.yaml too, and broken ones are reported once they are needed', async () => {
    const home = tempHome();
    writeFileSync(join(home, 'config.yaml'), toy);
    mkdirSync(join(home, 'detectors'));
    const path = join(home, 'detectors', 'toy.yaml');
    writeFileSync(path, "rules: [{ name: mine, status: processing, when: [{ row: '^%' }] }]");
    const troubles: Fault[] = [];
    const shelf = openProviderShelf({ config: home, state: home }, (trouble) =>
      troubles.push(trouble),
    );
    expect((await shelf.detector({ name: 'toy' }, undefined))({ lines: ['%', 'toy>'] }).rule).toBe(
      'mine',
    );
    writeFileSync(path, 'rules: {');
    expect((await shelf.detector({ name: 'toy' }, undefined))({ lines: ['%', 'toy>'] }).rule).toBe(
      'idle-1',
    );
    expect(troubles.map(({ message }) => message)).toEqual([expect.stringContaining(path)]);
  });
});

test('O5: a broken description is refused with the place where it is broken', async () => {
  const broken: Readonly<Record<string, RegExp>> = {
    'providers: [toy]': /providers: a list of `name: value` lines/,
    'providers: { Toy!: { command: x } }': /"Toy!" cannot stand here/,
    'providers: { toy: {} }': /providers\.toy\.command: a list is needed/,
    'providers: { toy: { command: [] } }': /a program is needed/,
    'providers: { toy: { command: [x, 1] } }': /command\[1\]: a text is needed/,
    'providers: { toy: { command: x, busi: y } }': /there is no "busi"/,
    "providers: { toy: { command: x, busy: '(' } }":
      /providers\.toy\.busy: the pattern "\(" is refused/,
    "providers: { toy: { command: x, title: { busy: '(a+)+' } } }": /could take too long/,
    'providers: { toy: { command: x, rows: 0 } }': /from 1 to 200/,
    'providers: { toy: { command: x, empty: { row: x } } }': /empty\.column/,
    'providers: { claude: { command: x } }': /which is claude-code/,
    'providers: { generic: { command: x } }': /which is generic/,
  };
  for (const [config, said] of Object.entries(broken)) {
    await expect((await openShelf(config)).find('toy'), config).rejects.toMatchObject({
      code: 'config-invalid',
      message: expect.stringMatching(said),
    });
    // Nobody else is stopped by it.
    expect((await (await openShelf(config)).find('claude')).name).toBe('claude-code');
  }
});
