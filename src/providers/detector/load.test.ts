import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { tempHome } from '../../../test/support/home.ts';
import { detect } from './detect.ts';
import { layOver } from './lay-over.ts';
import { createEmptyDetector, type LoadedDetector, loadBuiltIn, overlay } from './load.ts';
import { parseRuleFile } from './parse-file.ts';
import type { Detector } from './rules.ts';

const ours = `
provider: toy
regions: { composer: { from: '^─{20,}', to: '^─{20,}' } }
rules:
  - { name: asks, status: waiting, when: [{ row: 'proceed' }] }
  - { name: footer, status: processing, when: [{ row: 'esc', below: composer }] }
  - { name: title, status: processing, when: [{ title: '^◐' }] }
  - { name: interrupted, status: idle, when: [{ row: 'Interrupted' }] }
  - { name: rest, status: idle, when: [{ region: composer }] }
composer:
  - { name: empty, is: empty, when: [{ row: '^❯$', in: composer }] }
  - { name: draft, is: draft, when: [{ row: '^❯ ', in: composer }] }
`;

async function openBase(): Promise<Detector> {
  return layOver(createEmptyDetector('toy'), await parseRuleFile(ours, 'ours.yaml'));
}

async function layUser(text: string | Buffer): Promise<LoadedDetector> {
  const folder = tempHome();
  mkdirSync(join(folder, 'detectors'));
  writeFileSync(join(folder, 'detectors', 'toy.yaml'), text);
  return overlay(await openBase(), folder);
}

const names = ({ rules }: Detector) => rules.map(({ name }) => name);

test('every provider’s built-in rules can be read, and each rule tells where it comes from', async () => {
  const providers = readdirSync('src/providers', { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !['detector', 'generic'].includes(entry.name))
    .map(({ name }) => name);
  expect(providers).toContain('claude-code');
  for (const provider of providers) {
    const detector = await loadBuiltIn(provider);
    expect(detector.provider).toBe(provider);
    expect([provider, ...new Set(detector.rules.map(({ source }) => source))]).toEqual([
      provider,
      expect.stringContaining(join(provider, 'detector.yaml')),
    ]);
    // Dialogs first: whatever else is on the screen, a dialog is never missed.
    const order = detector.rules.map(({ status }) => status);
    expect([provider, order.lastIndexOf('waiting') < order.indexOf('processing')]).toEqual([
      provider,
      true,
    ]);
    expect([provider, order.lastIndexOf('processing') < order.indexOf('idle')]).toEqual([
      provider,
      true,
    ]);
  }
});

describe('a user’s own file', () => {
  test('that is not there changes nothing', async () => {
    const base = await openBase();
    expect(await overlay(base, join(tempHome(), 'nowhere'))).toEqual({ detector: base });
  });

  test('mends a changed spinner without a release: the new rule stands behind the dialogs', async () => {
    const { detector, trouble } = await layUser(
      "rules:\n  - { name: spinner, status: processing, when: [{ row: '^⟳ ', above: composer }] }\n",
    );
    expect(trouble).toBeUndefined();
    const rule = '─'.repeat(40);
    const lines = ['⟳ Brooding', rule, '❯', rule, '  ? for shortcuts'];
    expect(detect(detector, { lines })).toMatchObject({ status: 'processing', rule: 'spinner' });
    expect(detect(await openBase(), { lines })).toMatchObject({ status: 'idle', rule: 'rest' });
    expect(names(detector)).toEqual(['asks', 'spinner', 'footer', 'title', 'interrupted', 'rest']);
  });

  test('replaces a rule in its place, puts others where they are wanted, and switches rules off', async () => {
    const { detector } = await layUser(`
provider: toy
version: '3'
loosens: [one, two]
disable: [interrupted, draft]
regions: { tail: { from: '^x' } }
rules:
  - { name: title, status: processing, when: [{ title: '^⟳' }] }
  - { name: one, status: idle, before: asks, when: [{ region: tail }] }
  - { name: two, status: idle, before: one, when: [{ region: tail }] }
  - { name: footer, status: processing, before: rest, when: [{ region: tail }] }
  - { name: first, status: idle, before: rest, when: [{ region: tail }] }
  - { name: second, status: error, when: [{ region: tail }] }
composer:
  - { name: proven, is: empty, when: [{ row: '^%$', cursor: { column: 2 } }] }
`);
    expect(
      detector.rules.map(({ name, source }) => `${basename(source, '.yaml')} ${name}`),
    ).toEqual([
      'toy two',
      'toy one',
      'ours asks',
      'toy title',
      'toy footer',
      'toy first',
      'ours rest',
      'toy second',
    ]);
    expect(detector.composer.map(({ name }) => name)).toEqual(['proven', 'empty']);
  });

  const broken: Readonly<Record<string, readonly [text: string | Buffer, said: RegExp]>> = {
    'is no YAML': ['rules: [', /is not YAML/],
    'is a list': ['- a', /`name: value` lines/],
    'is binary': [Buffer.from([0xff, 0xfe, 0, 1]), /cannot be read/],
    'is too large': [`# ${'x'.repeat(256 * 1024)}`, /more than 256KiB/],
    'repeats itself without end': [
      `a: &a [x,x,x,x,x,x,x,x,x]\n${'bcdefgh'.replace(/./g, (c) => `${c}: &${c} [${Array(9).fill(`*${String.fromCharCode(c.charCodeAt(0) - 1)}`)}]\n`)}`,
      /not YAML|there is no/,
    ],
    'is for another provider': ['provider: codex', /it is for codex/],
    'has an unknown key': ['rulez: []', /there is no "rulez"; known are version, provider, /],
    'has an unknown key in a condition': [
      'rules: [{ name: a, status: idle, when: [{ row: x, botom: 3 }] }]',
      /rules\[0\]\.when\[0\]: there is no "botom"/,
    ],
    'has a status that no screen shows': [
      'rules: [{ name: a, status: exited, when: [{ row: x }] }]',
      /"exited" is none of starting, idle/,
    ],
    'has a rule without a condition': [
      'rules: [{ name: a, status: idle, when: [] }]',
      /at least one condition/,
    ],
    'has a condition about nothing': [
      'rules: [{ name: a, status: idle, when: [{ bottom: 3 }] }]',
      /one of row, rows, title or region/,
    ],
    'has a broken pattern': [
      "rules: [{ name: a, status: idle, when: [{ row: '(' }] }]",
      /when\[0\]\.row: the pattern "\(" is refused: unterminated group/,
    ],
    'has a pattern that may take for ever': [
      "rules: [{ name: a, status: idle, when: [{ row: '(a+)+$' }] }]",
      /could take too long/,
    ],
    'has a number as a version': ['tested: 2.1', /tested: a text is needed \(in quotes\)/],
    'has a size that is none': ["smallest: '40'", /smallest: /],
    'has a size of nothing': ["smallest: '0x12'", /smallest: /],
    'has a range that is none': ["versions: 'new'", /range such as/],
    'names a region that is not there': [
      'rules: [{ name: a, status: idle, when: [{ region: moon }] }]',
      /a: there is no region "moon"/,
    ],
    'goes before a rule that is not there': [
      'rules: [{ name: a, status: idle, before: moon, when: [{ row: x }] }]',
      /no rule "moon" to stand before/,
    ],
    'switches off a rule that is not there': ['disable: [moon]', /no rule "moon"/],
    'gives two rules one name': [
      'rules: [{ name: a, status: idle, when: [{ row: x }] }, { name: a, status: idle, when: [{ row: x }] }]',
      /two rules have this name/,
    ],
  };
  test.each(Object.entries(broken))(
    'O5: that %s is reported and the built-in rules go on',
    async (_, [text, said]) => {
      const { detector, trouble } = await layUser(text);
      expect(trouble?.code).toBe('config-invalid');
      expect(trouble?.message).toMatch(/detectors.toy\.yaml/);
      expect(trouble?.message).toMatch(said);
      expect(trouble?.next).toMatch(/move it away/);
      expect(names(detector)).toEqual(names(await openBase()));
    },
  );

  test('O5: that is a pipe nobody writes to, or a folder, stops nothing', async () => {
    const base = await openBase();
    for (const make of [
      (path: string) => execFileSync('sh', ['-c', 'mkfifo "$0"', path]),
      (path: string) => mkdirSync(path),
    ]) {
      const folder = tempHome();
      mkdirSync(join(folder, 'detectors'));
      make(join(folder, 'detectors', 'toy.yaml'));
      expect((await overlay(base, folder)).trouble?.message).toMatch(/it is not a file/);
    }
    const folder = tempHome();
    writeFileSync(join(folder, 'detectors'), '');
    expect(await overlay(base, folder)).toEqual({ detector: base });
  });
});
