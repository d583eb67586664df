import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { tempHome } from '../../../test/support/home.ts';
import { rowOf } from '../../terminals/tmux/screen-pattern.ts';
import type { ProviderCapabilities } from '../capabilities.ts';
import { openProviderShelf } from '../registry.ts';
import { type LoadedDetector, loadBuiltIn, overlay } from './load.ts';

/** A home whose user has this file for a provider. */
function homeWith(text: string | Buffer, provider = 'claude-code'): string {
  const home = tempHome();
  mkdirSync(join(home, 'detectors'));
  writeFileSync(join(home, 'detectors', `${provider}.yaml`), text);
  return home;
}

function openShelf(home: string) {
  return openProviderShelf({ config: home, state: home });
}

async function load(text: string, provider = 'claude-code'): Promise<LoadedDetector> {
  return await openShelf(homeWith(text, provider)).loadDetector(provider);
}

async function capabilities(text: string, provider: string): Promise<ProviderCapabilities> {
  return (await openShelf(homeWith(text, provider)).find(provider)).capabilities;
}

const wholeFile = `version: '2026-11-18.1'
provider: claude-code
versions: '>=2.1.240 <4'
rules:
  - name: spinner
    status: processing
    when:
      - row: ^⟳ +Brooding
        above: composer
  - name: permission
    status: waiting
    detail: permission
    when: [{ row: '^ May I ', bottom: 10 }]
composer:
  - name: empty-new
    is: empty
    when: [{ rows: ['^─{20,}', '^❯$'], in: composer, cursor: { row: 2, column: 2 } }]
capabilities:
  pasteGuard:
    absent: ['^ Esc to leave']
    present: ['^❯ ']
loosens: [permission, pasteGuard.present]
`;

test('what a user’s file says, its version, its hash and what it loosens are told', async () => {
  const home = homeWith(wholeFile);
  const { detector, data, trouble } = await openShelf(home).loadDetector('claude');
  expect(trouble).toBeUndefined();
  expect(detector.versions).toBe('>=2.1.240 <4');
  expect(data).toMatchObject({
    path: join(home, 'detectors', 'claude-code.yaml'),
    version: '2026-11-18.1',
    sha256: createHash('sha256').update(wholeFile).digest('hex'),
    rules: ['spinner', 'permission', 'empty-new'],
    changes: ['pasteGuard'],
  });
  expect(Object.fromEntries(data?.loosened ?? [])).toEqual({
    permission: 'replaces the dialog rule permission',
    'pasteGuard.present': 'changes what an empty composer must show before a paste',
  });
});

test('a file that was cut off anywhere is left out, or guards at least as much as ours', async () => {
  const base = await loadBuiltIn('claude-code');
  const guards = base.rules.filter(({ status }) => status === 'waiting').map(({ name }) => name);
  const plain = (await openShelf(tempHome()).find('claude-code')).capabilities;
  const ours = plain.pasteGuard;
  const home = homeWith('');
  let used = 0;
  for (let end = 0; end < wholeFile.length; end++) {
    writeFileSync(join(home, 'detectors', 'claude-code.yaml'), wholeFile.slice(0, end));
    const { detector, data, trouble } = await overlay(base, home, async () => plain);
    if (trouble) continue;
    used++;
    const missing = guards.filter((name) => !detector.rules.some((rule) => rule.name === name));
    expect([end, missing]).toEqual([end, []]);
    const { pasteGuard } = data?.capabilities ?? plain;
    expect(pasteGuard?.absent).toEqual(expect.arrayContaining([...(ours?.absent ?? [])]));
    if (data?.loosened.has('pasteGuard.present')) continue;
    expect(pasteGuard?.present).toEqual(ours?.present);
  }
  expect(used).toBeGreaterThan(10);
});

describe('a guard of a dialog is not switched off by a typo', () => {
  const spoilt: Readonly<Record<string, readonly [text: string, said: RegExp]>> = {
    'switches a dialog rule off': [
      'disable: [permission]',
      /it switches off the dialog rule permission; add permission to `loosens`/,
    ],
    'gives a dialog rule another meaning': [
      'rules: [{ name: permission, status: idle, when: [{ row: x }] }]',
      /replaces the dialog rule permission/,
    ],
    'gives a dialog rule a pattern that may match nothing': [
      "rules: [{ name: permission, status: waiting, when: [{ row: '^Dou you' }] }]",
      /replaces the dialog rule permission/,
    ],
    'puts a rule before the dialogs': [
      'rules: [{ name: calm, status: idle, before: trust, when: [{ row: x }] }]',
      /puts calm before the dialog rule trust/,
    ],
    'moves the place where rules look': [
      "regions: { composer: { from: '^nowhere' } }",
      /changes the region composer/,
    ],
    'names what it does not loosen': ['loosens: [permision]', /does not loosen "permision"/],
    'proves an empty composer without the cursor': [
      "composer: [{ name: e, is: empty, when: [{ row: '^❯$' }] }]",
      /proven by where the cursor stands/,
    ],
    'proves a composer of blanks without the cursor': [
      "composer: [{ name: e, is: blank, when: [{ row: '^❯$' }] }]",
      /proven by where the cursor stands/,
    ],
    'calls a draft blank': [
      "composer: [{ name: e, is: blank, when: [{ row: '^❯', cursor: { column: 2 } }] }]",
      /would call a draft empty/,
    ],
    'calls a draft empty': [
      "composer: [{ name: e, is: empty, when: [{ row: '^❯', cursor: { column: 2 } }] }]",
      /would call a draft empty/,
    ],
    'names a program': ['capabilities: { executable: /tmp/x }', /there is no "executable"/],
    'names a command': ['command: [/tmp/x]', /there is no "command"/],
    'widens a permission': ['capabilities: { permissions: { plan: all } }', /no "permissions"/],
    'adds a route': ['capabilities: { routes: [paste] }', /there is no "routes"/],
    'calls a route provable': ['capabilities: { provable: [pull] }', /there is no "provable"/],
    'asks for more blocks than the CLI takes': [
      'capabilities: { maxBlocks: 50 }',
      /more than 7, which was seen to work/,
    ],
    'lets a tool’s call take longer': ['capabilities: { toolCallMs: 900000 }', /more than 100000/],
    'takes messages while it works': [
      'capabilities: { nativeDuring: [processing] }',
      /not known to work while it is processing/,
    ],
    'has a queue that there is not': [
      'capabilities: { queueOnEsc: kept }',
      /no queue that takes our messages/,
    ],
    'changes what an empty composer shows': [
      "capabilities: { pasteGuard: { present: ['^❯ '] } }",
      /add pasteGuard\.present to `loosens`/,
    ],
    'asks for nothing before a paste': [
      'loosens: [pasteGuard.present]\ncapabilities: { pasteGuard: { present: [] } }',
      /at least one pattern/,
    ],
    'escapes less': [
      'capabilities: { syntax: { paste: { slash: false } } }',
      /it is `true`, or left out/,
    ],
  };
  test.each(Object.entries(spoilt))('a file that %s is refused whole', async (_, [text, said]) => {
    const more = "\nversion: '1'\n";
    const shelf = openShelf(homeWith(text + more));
    const { detector, data, trouble } = await shelf.loadDetector('claude-code');
    expect(trouble).toMatchObject({ code: 'config-invalid', message: expect.stringMatching(said) });
    expect([data, detector]).toEqual([undefined, await loadBuiltIn('claude-code')]);
    const plain = await openShelf(tempHome()).find('claude-code');
    expect(await shelf.find('claude-code')).toBe(plain);
  });

  test('one that is named under `loosens` is meant, and is told', async () => {
    const { detector, data } = await load('loosens: [permission]\ndisable: [permission]');
    expect(detector.rules.some(({ name }) => name === 'permission')).toBe(false);
    expect([...(data?.loosened.keys() ?? [])]).toEqual(['permission']);
  });
});

describe('patterns that tmux is asked for', () => {
  const guard = (pattern: string): string =>
    `capabilities: { pasteGuard: { absent: [${JSON.stringify(pattern)}] } }`;

  test.each([
    ['runs a command in a format', '#(touch /tmp/x)'],
    ['begins a format', '#{pane_pid}'],
    ['is a time of day', '%H'],
    ['breaks the line', 'a\nkill-server'],
    ['hides a character', 'a\u202eb'],
    ['may take for ever', '(a+)+$'],
    ['is longer than a row', `^${'a'.repeat(250)}`],
    ['is no pattern', '^('],
    ['is empty', ''],
    ['matches everything', 'x*'],
    ['is JavaScript’s alone', '^\\d+'],
    ['looks ahead', '^(?=a)b'],
    ['is lazy', '^a+?b'],
    ['escapes within brackets', '[\\]]'],
    ['is not a text', 3 as unknown as string],
  ])('one that %s is refused', async (_, pattern) => {
    const { trouble, data } = await load(guard(pattern));
    expect([trouble?.code, data]).toEqual(['config-invalid', undefined]);
  });

  test('one with quotes, braces and commas reaches tmux as a pattern', async () => {
    const pattern = `^ Don't, "really" {2}[})]; \\$x`;
    const { pasteGuard } = await capabilities(guard(pattern), 'claude-code');
    const added = pasteGuard?.absent.at(-1) ?? '';
    expect(added).toEqual({ regex: pattern });
    expect(rowOf(added)).toBe(`#{C/r:^ Don't#, "really" {2#}[#})]; \\$x}`);
  });
});

test('what Esc does to a queue may be corrected; that it keeps messages has to be named', async () => {
  const dropped = await capabilities('capabilities: { queueOnEsc: dropped }', 'codex');
  expect(dropped.queueOnEsc).toBe('dropped');
  const { trouble } = await load('capabilities: { queueOnEsc: kept }', 'qwen');
  expect(trouble?.message).toMatch(/add queueOnEsc to `loosens`/);
  const kept = 'loosens: [queueOnEsc]\ncapabilities: { queueOnEsc: kept }';
  expect((await capabilities(kept, 'qwen')).queueOnEsc).toBe('kept');
});

test('signs that a CLI acts on are only ever added to', async () => {
  const more = 'capabilities: { syntax: { paste: { dollar: true }, native: { at: word } } }';
  const { syntax } = await capabilities(more, 'claude-code');
  expect(syntax).toEqual({ paste: { at: 'word', dollar: true }, native: { at: 'word' } });
  const less = 'capabilities: { syntax: { paste: { at: word } } }';
  expect((await load(less, 'gemini')).trouble?.message).toMatch(/would escape less/);
});

describe('whose file it is', () => {
  test('one that others can write is left out, and the built-in data holds', async () => {
    for (const mode of [0o666, 0o646, 0o602]) {
      const home = homeWith(wholeFile);
      chmodSync(join(home, 'detectors', 'claude-code.yaml'), mode);
      const { data, trouble, detector } = await openShelf(home).loadDetector('claude-code');
      expect(trouble).toMatchObject({
        code: 'folder-exposed',
        message: expect.stringMatching(/can be changed by every user.*built-in data is used/),
        next: expect.stringMatching(/chmod go-w/),
      });
      expect([data, detector]).toEqual([undefined, await loadBuiltIn('claude-code')]);
    }
  });

  test('one in a folder that others can write, or behind a link into one, is left out', async () => {
    const open = homeWith(wholeFile);
    chmodSync(join(open, 'detectors'), 0o777);
    expect((await openShelf(open).loadDetector('claude-code')).trouble?.code).toBe(
      'folder-exposed',
    );
    const home = tempHome();
    mkdirSync(join(home, 'detectors'));
    symlinkSync(
      join(open, 'detectors', 'claude-code.yaml'),
      join(home, 'detectors', 'claude-code.yaml'),
    );
    expect((await openShelf(home).loadDetector('claude-code')).trouble?.code).toBe(
      'folder-exposed',
    );
  });

  test.runIf(process.geteuid?.() === 0)('one of another user is left out', async () => {
    const { chownSync } = await import('node:fs');
    const home = homeWith(wholeFile);
    chownSync(join(home, 'detectors', 'claude-code.yaml'), 12_345, 12_345);
    const { trouble } = await openShelf(home).loadDetector('claude-code');
    expect(trouble?.message).toMatch(/belongs to another user \(uid 12345\)/);
  });

  test('a working folder has no say: nothing is read beside the configuration folder', async () => {
    const project = homeWith(wholeFile);
    const before = process.cwd();
    process.chdir(project);
    try {
      expect((await openShelf(tempHome()).loadDetector('claude-code')).data).toBeUndefined();
    } finally {
      process.chdir(before);
    }
  });
});

test('a file that is replaced counts for whoever asks next, and for nobody who has asked', async () => {
  const home = homeWith('capabilities: { maxBlocks: 3 }');
  const shelf = openShelf(home);
  const before = await shelf.find('claude-code');
  writeFileSync(join(home, 'detectors', 'claude-code.yaml'), 'capabilities: { maxBlocks: 2 }');
  expect((await shelf.find('claude-code')).capabilities.maxBlocks).toBe(2);
  expect(before.capabilities.maxBlocks).toBe(3);
  writeFileSync(join(home, 'detectors', 'claude-code.yaml'), 'capabilities: { maxBlo');
  expect((await shelf.find('claude-code')).capabilities.maxBlocks).toBe(7);
});
