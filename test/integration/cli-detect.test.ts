import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { DetectorRules, DetectResult } from '../../src/protocol/detect.ts';
import { stripSequences } from '../../src/providers/detector/styled-rows.ts';
import { type Box, openBox } from './fixtures/box.ts';
import { expectFault } from './fixtures/expect-fault.ts';

const rule = '─'.repeat(80);
const idle = [rule, '❯ ', rule, '  ⏸ manual mode on · ? for shortcuts', ''].join('\n');
const dialog = [' Do you want to proceed?', ' ❯ 1. Yes', '   2. No', '', ' Esc to cancel', ''].join(
  '\n',
);

async function ask(
  box: Box,
  screen: string | Buffer,
  ...more: readonly string[]
): Promise<DetectResult> {
  const args = ['detect', '--provider', 'claude', '--screen', '-', '--json', ...more];
  const ended = await box.run(args, { input: screen });
  expect(ended.stderr).toBe('');
  return ended.json<DetectResult>();
}

describe('detect', () => {
  test('says what a screen means, by which rule, without daemon or ledger', async () => {
    const box = await openBox();
    expect(await ask(box, dialog)).toEqual({
      status: 'waiting',
      detail: 'permission',
      question: 'Do you want to proceed?',
      composer: 'hidden',
      rule: 'permission',
      provider: 'claude-code',
      providerVersions: expect.stringMatching(/^>=2\.1/),
    });
    // Proven by text, cursor and footer together; without the cursor it is not.
    expect(await ask(box, idle)).toMatchObject({ status: 'idle', composer: 'unknown' });
    expect(await ask(box, idle, '--cursor', '2,1')).toMatchObject({
      status: 'idle',
      composer: 'empty',
    });
    expect(await ask(box, idle, '--cursor', '5,1')).toMatchObject({
      status: 'idle',
      composer: 'draft',
    });
    expect(await ask(box, 'Last login: today\n$ ')).toMatchObject({
      status: 'unknown',
      composer: 'unknown',
      rule: 'none',
    });
    expect(readdirSync(box.home)).toEqual([]);
  });

  test('reads a file, and styles where it has them', async () => {
    const box = await openBox();
    const path = join(box.home, 'a screen.txt');
    const codex = (placeholder: string) =>
      [
        '',
        `\u001b[1m›\u001b[0m ${placeholder}`,
        '\u001b[0m',
        '  model · /srv/app',
        '  \u001b[1m?\u001b[0m for shortcuts',
        '',
      ].join('\n');
    const look = async (text: string) => {
      writeFileSync(path, text);
      return box.ask<DetectResult>(
        'detect',
        '--provider',
        'codex',
        '--screen',
        path,
        '--cursor',
        '2,1',
        '--title',
        'work',
      );
    };
    expect(await look(codex('\u001b[2mAsk Codex to do anything'))).toMatchObject({
      status: 'idle',
      composer: 'empty',
    });
    // Typed by a person, with the cursor put back to its start: only the weight differs.
    expect(await look(codex('Ask Codex to do anything'))).toMatchObject({
      status: 'idle',
      composer: 'draft',
    });
    const plain = stripSequences(codex('Ask Codex to do anything'));
    expect(await look(plain)).toMatchObject({ status: 'idle', composer: 'unknown' });
  });

  test('for people: four short lines', async () => {
    const box = await openBox();
    const ended = await box.run(['detect', '--provider', 'claude', '--screen', '-'], {
      input: dialog,
    });
    expect(ended.stdout).toMatch(
      /^status {4}waiting: permission\ncomposer {2}hidden\nrule {6}permission {2}\S*claude-code\.yaml\nprovider {2}claude-code >=2\.1\S* <3\n$/,
    );
  });

  test('without a screen it prints the rules in force and where each comes from', async () => {
    const box = await openBox();
    const { rules, composer, ownFile } = await box.ask<DetectorRules>(
      'detect',
      '--provider',
      'claude',
    );
    expect(rules).toContainEqual({
      name: 'permission',
      says: 'waiting: permission',
      source: expect.stringMatching(/detectors.claude-code\.yaml$/),
    });
    expect(composer.map(({ says }) => says)).toContain('empty');
    expect(ownFile).toBe(join(box.home, 'detectors', 'claude-code.yaml'));
    const { stdout } = await box.run(['detect', '--provider', 'claude']);
    expect(stdout).toMatch(
      /^claude-code >=\S+ <3, tested with 2\.1\.325\n\nRULE +SAYS +VERSIONS +FROM\n/,
    );
  });

  test('every CLI we know has rules in the package', { tags: ['full'] }, async () => {
    const box = await openBox();
    for (const provider of [
      'claude-code',
      'codex',
      'gemini',
      'opencode',
      'copilot',
      'qwen',
      'kimi',
    ]) {
      const { rules } = await box.ask<DetectorRules>('detect', '--provider', provider);
      const says = new Set(rules.map((one) => one.says.split(':')[0]));
      expect([provider, ...says]).toEqual(
        expect.arrayContaining([provider, 'waiting', 'processing', 'idle']),
      );
    }
  });
});

describe('a user’s own rules', () => {
  test('mend a changed spinner without a release', { tags: ['full'] }, async () => {
    const box = await openBox();
    const screen = `⟳ Brooding\n${idle}`;
    expect(await ask(box, screen)).toMatchObject({ status: 'idle' });
    mkdirSync(join(box.home, 'detectors'));
    const path = join(box.home, 'detectors', 'claude-code.yaml');
    writeFileSync(
      path,
      "rules:\n  - name: new-spinner\n    status: processing\n    when:\n      - { row: '^⟳ ', above: composer, bottom: 3 }\n",
    );
    expect(await ask(box, screen)).toMatchObject({ status: 'processing', rule: 'new-spinner' });
    const { rules } = await box.ask<DetectorRules>('detect', '--provider', 'claude');
    expect(rules.find(({ name }) => name === 'new-spinner')?.source).toBe(path);
  });

  test('O5: that are broken are named with the place, exit 1', async () => {
    const box = await openBox();
    mkdirSync(join(box.home, 'detectors'));
    writeFileSync(
      join(box.home, 'detectors', 'claude-code.yaml'),
      "rules: [{ name: a, status: idle, when: [{ row: '(a+)+$' }] }]",
    );
    const ended = await box.run(['detect', '--provider', 'claude', '--json']);
    expectFault(
      ended,
      1,
      'config-invalid',
      /claude-code\.yaml, rules\[0\]\.when\[0\]\.row: .*could take too long/,
    );
  });

  test('describe a program of one’s own in config.yaml, and that section is no unknown setting', async () => {
    const box = await openBox();
    writeFileSync(
      join(box.home, 'config.yaml'),
      "providers:\n  toy: { command: toy, idle: '^toy>' }\n",
    );
    const args = ['detect', '--provider', 'toy', '--screen', '-', '--json'];
    expect((await box.run(args, { input: 'toy>\n' })).json()).toMatchObject({
      status: 'idle',
      provider: 'toy',
      rule: 'idle-1',
    });
    expect(await box.ask('config')).toMatchObject({ unknown: [] });
    writeFileSync(
      join(box.home, 'config.yaml'),
      "providers:\n  toy: { command: toy, idle: '(' }\n",
    );
    expectFault(
      await box.run(args),
      1,
      'config-invalid',
      /providers\.toy\.idle: the pattern "\(" is refused/,
    );
    // A broken description stops only what needs it.
    expect((await box.run(['ls', '--json'])).code).toBe(0);
  });
});

test('a wrong request is refused: provider, file, size, binary, raw output, cursor', {
  tags: ['full'],
}, async () => {
  const box = await openBox();
  const detect = (args: readonly string[], input: string | Buffer = '') =>
    box.run(['detect', '--json', ...args], { input });
  const claude = ['--provider', 'claude', '--screen'];
  expectFault(
    await detect(['--provider', 'cluade']),
    3,
    'provider-not-found',
    /Did you mean "claude"\? There are: claude-code, codex, gemini/,
  );
  expectFault(await detect([]), 2, 'usage', /--provider/);
  expectFault(
    await detect([...claude, join(box.home, 'gone')]),
    2,
    'invalid-input',
    /cannot read \S*gone: ENOENT/,
  );
  expectFault(await detect([...claude, box.home]), 2, 'invalid-input', /it is a folder/);
  expectFault(
    await detect([...claude, '-'], Buffer.from([0x80, 0xff, 0x0a])),
    2,
    'invalid-input',
    /not valid UTF-8/,
  );
  expectFault(await detect([...claude, '-'], 'a\0b'), 2, 'invalid-input', /zero bytes/);
  expectFault(
    await detect([...claude, '-'], 'x'.repeat(4 * 1024 * 1024 + 1)),
    5,
    'body-too-large',
    /more than 4MiB/,
  );
  expectFault(
    await detect([...claude, '-'], '\n'.repeat(2000)),
    2,
    'invalid-input',
    /No terminal has 2001 rows/,
  );
  expectFault(
    await detect([...claude, '-'], `\u001b[2J\u001b[1;1H${idle}`),
    2,
    'invalid-input',
    /move the cursor.*capture-pane/,
  );
  for (const cursor of ['2', 'a,b', '-1,2', '2,1,0']) {
    expectFault(
      await detect([...claude, '-', `--cursor=${cursor}`], idle),
      2,
      'usage',
      /column and row from 0/,
    );
  }
});
