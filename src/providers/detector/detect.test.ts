import { describe, expect, test } from 'vitest';
import type { Screen } from '../provider.ts';
import { detect } from './detect.ts';
import { layOver } from './lay-over.ts';
import { createEmptyDetector } from './load.ts';
import { parseRuleFile } from './parse-file.ts';
import type { Detector } from './rules.ts';

async function detectorOf(text: string): Promise<Detector> {
  return layOver(createEmptyDetector('toy'), await parseRuleFile(text, 'toy.yaml'));
}

/** One rule with these conditions; its verdict is what the test is about. */
async function fires(body: string, screen: Partial<Screen>, version?: string): Promise<boolean> {
  const detector = await detectorOf(`
regions:
  box: { from: '^┌', to: '^└', bottom: 3 }
  tail: { from: '^>' }
rules:
  - name: it
    status: idle
    ${body}
tested: '2.0'`);
  return detect(detector, { lines: [], ...screen }, version).rule === 'it';
}

const lines = ['┌──', 'not here', '└──', 'an answer', '┌──', 'ask', '└──', 'keys', ''];

describe('where a row is looked for', () => {
  test.each([
    ["{ row: '^an answer$' }", true],
    ["{ row: '^an ans$' }", false],
    ["{ row: 'keys', bottom: 1 }", true],
    ["{ row: 'ask', bottom: 2 }", false],
    ["{ row: 'ask', bottom: 3 }", true],
    ["{ row: 'ask', in: box }", true],
    ["{ row: 'not here', in: box }", false],
    ["{ row: 'an answer', above: box, bottom: 1 }", true],
    ["{ row: 'not here', above: box, bottom: 2 }", false],
    ["{ row: 'not here', above: box, after: '^└' }", false],
    ["{ row: 'an answer', above: box, after: '^└' }", true],
    ["{ row: 'an answer', above: box, after: 'no such row' }", false],
    ["{ row: 'keys', below: box }", true],
    ["{ row: 'ask', below: box }", false],
    ["{ row: '.', in: tail }", false],
    ['{ region: box }', true],
    ['{ region: tail }', false],
    ["{ rows: ['^┌', '^ask$', '^└'] }", true],
    ["{ rows: ['^┌', '^keys$'] }", false],
    ["{ rows: ['^keys$', ''] }", true],
  ])('%s on a screen with two boxes: %s', async (condition, expected) => {
    expect(await fires(`when: [${condition}]`, { lines })).toBe(expected);
  });

  test('a region whose end is too far up is not there: a dialog has taken its place', async () => {
    const pushed = [...lines.slice(0, -1), 'a', 'b', 'c'];
    expect(await fires('when: [{ region: box }]', { lines: pushed })).toBe(false);
  });

  test('an open region reaches from its first row to the end of the screen', async () => {
    const screen = { lines: ['> old', 'answer', '> new', 'footer'] };
    expect(await fires("when: [{ row: 'footer', in: tail }]", screen)).toBe(true);
    expect(await fires("when: [{ row: 'answer', in: tail }]", screen)).toBe(false);
    expect(await fires("when: [{ row: 'answer', above: tail }]", screen)).toBe(true);
  });
});

describe('what is not known', () => {
  const cursor = "{ rows: ['^┌', '^ask$'], cursor: { row: 2, column: 2 } }";
  const dim = "{ row: 'ask', style: { text: 'ask', is: dim } }";
  test('without a cursor neither `when` nor `unless` about it lets a rule fire', async () => {
    expect(await fires(`when: [${cursor}]`, { lines })).toBe(false);
    expect(await fires(`when: [{ row: ask }]\n    unless: [${cursor}]`, { lines })).toBe(false);
    expect(await fires(`when: [${cursor}]`, { lines, cursor: { x: 2, y: 5 } })).toBe(true);
    expect(await fires(`when: [${cursor}]`, { lines, cursor: { x: 2, y: 4 } })).toBe(false);
    expect(await fires(`when: [${cursor}]`, { lines, cursor: { x: 3, y: 5 } })).toBe(false);
    const away = { lines, cursor: { x: 3, y: 5 } };
    expect(await fires(`when: [{ row: ask }]\n    unless: [${cursor}]`, away)).toBe(true);
  });

  test('without styles neither `when` nor `unless` about them lets a rule fire', async () => {
    const styledLines = lines.map((line) => (line === 'ask' ? '\u001b[2mask\u001b[0m' : line));
    expect(await fires(`when: [${dim}]`, { lines })).toBe(false);
    expect(await fires(`when: [{ row: ask }]\n    unless: [${dim}]`, { lines })).toBe(false);
    expect(await fires(`when: [${dim}]`, { lines, styledLines })).toBe(true);
    expect(await fires(`when: [${dim}]`, { lines, styledLines: lines })).toBe(false);
    expect(
      await fires(`when: [{ row: ask }]\n    unless: [${dim}]`, { lines, styledLines: lines }),
    ).toBe(true);
  });

  test('one colour is neither two nor the terminal’s own', async () => {
    const one = "when: [{ row: 'ask', style: { text: 'ask', is: one-colour } }]";
    const drawn = (text: string) => lines.map((line) => (line === 'ask' ? text : line));
    const fired = async (text: string) => await fires(one, { lines, styledLines: drawn(text) });
    expect(await fired('\u001b[38;5;248mask\u001b[0m')).toBe(true);
    expect(await fired('\u001b[38;5;231mas\u001b[38;5;183mk\u001b[0m')).toBe(false);
    expect(await fired('a\u001b[31msk\u001b[0m')).toBe(false);
    expect(await fired('ask')).toBe(false);
  });

  test('styles of another moment prove nothing', async () => {
    const other = lines.map((line) => (line === 'ask' ? '\u001b[2mas\u001b[0m' : line));
    expect(await fires(`when: [${dim}]`, { lines, styledLines: other })).toBe(false);
    expect(
      await fires(`when: [{ row: ask }]\n    unless: [${dim}]`, { lines, styledLines: other }),
    ).toBe(false);
  });

  test('a rule can be for screens whose cursor is not known, and only for these', async () => {
    const rule = 'when: [{ cursor: unknown }, { row: ask }]';
    expect(await fires(rule, { lines })).toBe(true);
    expect(await fires(rule, { lines: ['keys'] })).toBe(false);
    expect(await fires(rule, { lines, cursor: { x: 3, y: 5 } })).toBe(false);
    const both = 'when: [{ row: ask, cursor: unknown }]';
    await expect(fires(both, { lines })).rejects.toThrow('stands alone');
  });

  test('the cursor can be asked for on the first letter of a text', async () => {
    const on = "when: [{ row: 'Ask', cursor: { on: 'Ask' } }]";
    expect(await fires(on, { lines: ['┃  Ask'], cursor: { x: 3, y: 0 } })).toBe(true);
    expect(await fires(on, { lines: ['┃  Ask'], cursor: { x: 6, y: 0 } })).toBe(false);
  });
});

describe('which rule decides', () => {
  const order = `
rules:
  - { name: asks, status: waiting, detail: permission, when: [{ row: 'proceed' }] }
  - { name: new-spinner, status: processing, versions: '>=2', when: [{ row: 'busy' }] }
  - { name: old-spinner, status: processing, versions: '<2', when: [{ row: 'wait' }] }
  - { name: title, status: processing, when: [{ title: '^◐' }] }
  - { name: rest, status: idle, when: [{ row: '^>' }] }
composer:
  - { name: empty, is: empty, when: [{ row: '^>$' }] }
tested: '2.1'`;
  test('the first that fits; none is unknown', async () => {
    const detector = await detectorOf(order);
    const say = (rows: readonly string[], title?: string, version?: string) => {
      const screen = { lines: rows, ...(title ? { title } : {}) };
      const { status, rule } = detect(detector, screen, version);
      return `${status} ${rule}`;
    };
    expect(say(['>', 'busy', 'proceed'])).toBe('waiting asks');
    expect(say(['>', 'busy'])).toBe('processing new-spinner');
    expect(say(['>'], '◐ work')).toBe('processing title');
    expect(say(['>'])).toBe('idle rest');
    expect(say([''])).toBe('unknown none');
    expect(say(['>', 'wait'])).toBe('idle rest');
    expect(say(['>', 'wait'], undefined, '1.9.9')).toBe('processing old-spinner');
    expect(say(['>', 'busy'], undefined, '1.9.9')).toBe('idle rest');
    // A version that cannot be read is as good as none.
    expect(say(['>', 'busy'], undefined, 'nightly')).toBe('processing new-spinner');
  });

  test('a composer is never empty while something waits, and nothing is known without rules', async () => {
    const detector = await detectorOf(order);
    expect(detect(detector, { lines: ['>'] }).composer).toBe('empty');
    expect(detect(detector, { lines: ['>', 'proceed'] }).composer).toBe('hidden');
    expect(detect(detector, { lines: ['> x'] }).composer).toBe('unknown');
    expect(detect(createEmptyDetector('x'), { lines: ['>'] })).toEqual({
      status: 'unknown',
      composer: 'unknown',
      rule: 'none',
      isBlind: true,
    });
  });

  test('rule 24: a composer that waiting will not make empty has the name of the reason; a draft and a dialog have none', async () => {
    const detector = await detectorOf(`
versions: '>=2 <3'
rules:
  - { name: asks, status: waiting, when: [{ row: 'proceed' }] }
  - { name: rest, status: idle, when: [{ row: '^>' }] }
composer:
  - { name: normal, is: unknown, noPaste: vim-normal, when: [{ row: 'NORMAL' }] }
  - { name: empty, is: empty, when: [{ row: '^>$' }] }
  - { name: draft, is: draft, when: [{ row: '^>' }] }
tested: '2.1'`);
    const say = (rows: readonly string[], version?: string) => {
      const { composer, noPaste } = detect(detector, { lines: rows }, version);
      return noPaste === undefined ? composer : `${composer} ${noPaste}`;
    };
    expect(say(['>', 'NORMAL'])).toBe('unknown vim-normal');
    expect(say(['>', 'NORMAL', 'proceed'])).toBe('hidden');
    expect(say(['> x'])).toBe('draft');
    expect(say([''])).toBe('unknown');
    expect(say(['>'])).toBe('empty');
    // These rules say nothing about that version, however long it rests.
    expect(say(['>'], '3.0')).toBe('unknown untested-version');
    expect(say(['> x'], '3.0')).toBe('draft');
  });

  test('E4: a screen of garbage, of one endless row or of many long ones is unknown, soon', async () => {
    const detector = await detectorOf(order.replace("'busy'", "'^.*b.*usy'"));
    const garbage = Array.from({ length: 200 }, (_, i) =>
      String.fromCharCode(1, i, 0xd800 + i, i * 7),
    );
    expect(detect(detector, { lines: garbage }).status).toBe('unknown');
    expect(detect(detector, { lines: ['b'.repeat(1_000_000)] }).status).toBe('unknown');
    expect(detect(detector, { lines: Array(500).fill('b'.repeat(400)) }).status).toBe('unknown');
  });
});

describe('a window that is smaller than those that the rules were tested in', () => {
  const rules = `
smallest: 40x12
rules:
  - { name: rest, status: idle, when: [{ row: '^>' }] }
  - { name: work, status: processing, when: [{ row: '^[*]' }] }
composer:
  - { name: empty, is: empty, when: [{ row: '^>$' }] }`;
  const small = { columns: 30, rows: 40 };
  const tooSmall = { has: small, needs: { columns: 40, rows: 12 } };

  test.each([
    ['a screen that no rule knows', ['?']],
    ['a composer of which nothing is known', ['> ?']],
  ])('is named with %s', async (_, shown) => {
    const detector = await detectorOf(rules);
    expect(detect(detector, { lines: shown, size: small })).toMatchObject({ tooSmall });
    const low = { columns: 200, rows: 11 };
    expect(detect(detector, { lines: shown, size: low })).toHaveProperty('tooSmall.has', low);
  });

  test.each([
    ['what is shown is known', ['>'], small],
    ['it works, whatever its composer is', ['*'], small],
    ['it is as large', ['?'], { columns: 40, rows: 12 }],
    ['nobody tells its size', ['?'], undefined],
  ])('is not named where %s', async (_, shown, size) => {
    const screen = { lines: shown, ...(size ? { size } : {}) };
    expect(detect(await detectorOf(rules), screen)).not.toHaveProperty('tooSmall');
  });
});
