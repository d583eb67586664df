import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { program } from '../support/cli.ts';
import { type Box, openBox } from './fixtures/box.ts';
import { expectFault } from './fixtures/expect-fault.ts';
import { hasCommand } from './fixtures/has-command.ts';

/**
 * What a press of the tab key after these words offers, asked of a real bash that has loaded the
 * real script.
 */
async function pressTab(box: Box, lines: readonly string[]): Promise<readonly string[][]> {
  const ask = `
    eval "$("$0" "$1" completion bash)"
    complete -p signalbox sbx >/dev/null || exit 9
    while IFS= read -r line; do
      read -ra COMP_WORDS <<<"$line"
      [[ "$line" == *' ' ]] && COMP_WORDS+=('')
      COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)) COMPREPLY=()
      _signalbox
      echo "\${COMPREPLY[*]}"
    done`;
  const input = lines.map((line) => `${line}\n`).join('');
  const ended = await box.run([], { wrapper: ['bash', '-c', ask], input });
  expect([ended.code, ended.stderr]).toEqual([0, '']);
  return ended.stdout
    .split('\n')
    .slice(0, -1)
    .map((line) => line.split(' ').filter(Boolean));
}

describe.skipIf(!hasCommand('bash'))('bash (left out where there is no bash)', () => {
  test('completes commands, their groups and their options, for both names', async () => {
    const box = await openBox();
    const offers = await pressTab(box, [
      'signalbox in',
      'sbx in',
      'signalbox inbox dr',
      'signalbox inbox ',
      'signalbox send --u',
      'signalbox send inbox --k',
      'signalbox dead-letters re',
      'signalbox inbox drain worker --j',
      'signalbox nothing-like-it',
    ]);
    expect(offers).toEqual([
      ['inbox'],
      ['inbox'],
      ['drain'],
      ['list', 'show', 'drain', 'ack', '--help'],
      ['--urgent'],
      ['--key'],
      ['retry'],
      ['--json'],
      [],
    ]);
    const [top = []] = await pressTab(box, ['signalbox ']);
    for (const word of ['agents', 'ls', 'rm', 'send', 'explain', 'doctor', 'completion']) {
      expect(top).toContain(word);
    }
  });
});

test.skipIf(!hasCommand('zsh'))(
  'zsh loads the script (left out where there is no zsh)',
  async () => {
    const box = await openBox();
    const ask =
      'autoload -U compinit && compinit -u -d "$2/dump" && eval "$("$0" "$1" completion zsh)"';
    const ended = await box.run([box.home], { wrapper: ['zsh', '-fc', ask] });
    expect([ended.code, ended.stderr]).toEqual([0, '']);
  },
);

test.skipIf(!hasCommand('fish'))(
  'fish offers inbox (left out where there is no fish)',
  async () => {
    const box = await openBox();
    const env = { HOME: box.home, XDG_CONFIG_HOME: join(box.home, 'fish') };
    const ask = "$argv[1] $argv[2] completion fish | source; complete -C 'signalbox in'";
    const ended = await box.run([], { wrapper: ['fish', '--no-config', '-c', ask], env });
    expect(ended.stdout).toMatch(/^inbox\b/m);
  },
);

test('completion is also a document, makes no ledger, and knows three shells: exit 2 for others', async () => {
  const box = await openBox();
  const scripts = await Promise.all(
    ['bash', 'zsh', 'fish'].map((shell) =>
      box.ask<{ shell: string; script: string }>('completion', shell),
    ),
  );
  expect(scripts.map(({ shell }) => shell)).toEqual(['bash', 'zsh', 'fish']);
  for (const { script } of scripts) {
    expect(script).toContain('drain');
    expect(script).not.toContain(program);
  }
  expectFault(await box.run(['completion', 'tcsh', '--json']), 2, 'usage', /bash, zsh, fish/);
  expect(await box.ask('doctor')).toMatchObject({ ledger: { exists: false } });
});
