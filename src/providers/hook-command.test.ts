import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { tempHome } from '../../test/support/home.ts';
import { type HookWish, writeHookCommand } from './hook-command.ts';

/** Of a shell, of JSON and of TOML. */
const nasty = `it's a "$HOME" \`folder\` \\ %s`;
const shells = ['/bin/sh', '/bin/dash', '/bin/bash', '/bin/zsh'].filter((one) => existsSync(one));

describe.each(shells)('in %s', (shell) => {
  test('the script gets its event, and what it prints is printed', () => {
    const script = write('echo "$@"');
    expect(run(script, {})).toEqual([0, 'Stop\n', '']);
    expect(run(script, { saysBy: 'code' })).toEqual([0, 'Stop 82\n', '']);
    expect(run(script, { waits: true })).toEqual([0, `wait Stop 82 ${process.pid}\n`, '']);
  });

  test('rule 23: it ends with 0 and in silence, however the script ends', () => {
    for (const end of ['exit 1', 'exit 2', 'exit 82', 'exit 127', 'kill -9 $$', 'kill $$']) {
      const script = write(`echo complaint >&2; ${end}`);
      expect(run(script, {})).toEqual([0, '', '']);
    }
  });

  test('rule 23: 2 is for words alone, said on the real stderr by a number of their own', () => {
    for (const wish of [{ saysBy: 'code' }, { waits: true }] as const) {
      const speaking = write('echo words >&4; echo complaint >&2; exit 82');
      expect(run(speaking, wish)).toEqual([2, '', 'words\n']);
      for (const end of ['exit 1', 'exit 2', 'kill -9 $$']) {
        expect(run(write(`echo complaint >&2; ${end}`), wish)).toEqual([0, '', '']);
      }
    }
  });

  test('rule 23: without the script it does nothing, whichever form it has', () => {
    const script = write('echo it ran; exit 82');
    rmSync(script);
    for (const wish of forms) expect(run(script, wish)).toEqual([0, '', '']);
  });

  test('rule 38: where the mark is set, a CLI that the model started runs no hook', () => {
    const script = write('echo it ran');
    for (const form of forms) {
      const wish = { ...form, unlessSet: 'NESTED' };
      expect(run(script, wish)[1]).toBe('it ran\n');
      expect(run(script, wish, { NESTED: '1' })).toEqual([0, '', '']);
    }
  });

  function run(script: string, wish: HookWish, env = {}): readonly unknown[] {
    const command = writeHookCommand(script, 'Stop', wish);
    const { status, stdout, stderr } = spawnSync(shell, ['-c', command], {
      // bash reads a person's .bashrc when its stdin is a socket, as that of Node's children is.
      env: { PATH: process.env['PATH'], HOME: '/nowhere', ...env },
      encoding: 'utf8',
      input: '{}',
    });
    return [status, stdout, stderr];
  }
});

const forms: readonly HookWish[] = [{}, { saysBy: 'code' }, { waits: true }];

function write(text: string): string {
  const folder = join(tempHome(), nasty);
  mkdirSync(folder);
  const script = join(folder, 'post');
  writeFileSync(script, `#!/bin/sh\n${text}\n`, { mode: 0o700 });
  return script;
}
